/**
 * The rows of an operation table (PRV-3): all that the executor knows of a published operation. Flat facts, no schemas,
 * no vendor prose. The compiler writes them, the executor reads them, nothing else describes a request.
 */

/** What a value has to be. `any` where the description does not say or allows several kinds. */
export type ValueType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'any';

/**
 * How a parameter's value is written (PRV-4). `plain`: one value. `form`: one `name=value` for each entry (form with explode).
 * `csv`: entries joined by commas. `json`: the value as JSON. The last two are path values that may hold slashes (the `multi_segment` of
 * PRV-3): `segments` keeps them, `encoded-segments` writes each as `%2F`, so that the value is one segment.
 */
export type ParameterStyle = 'plain' | 'form' | 'csv' | 'json' | 'segments' | 'encoded-segments';

export interface OperationParameter {
  /** Verbatim, for example `not[labels]`. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly type: ValueType;
  /** Kind of the entries of an array; absent for other types. */
  readonly items?: ValueType;
  readonly style: ParameterStyle;
  /** The closed set of values, where there is one. */
  readonly enum?: readonly (string | number | boolean)[];
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface BodyField {
  readonly name: string;
  readonly required: boolean;
  readonly type: ValueType;
  readonly items?: ValueType;
  readonly enum?: readonly (string | number | boolean)[];
  readonly nullable?: boolean;
  /** The bytes of a file: a part with a file name in a multipart body. */
  readonly binary?: boolean;
}

export interface OperationBody {
  readonly required: boolean;
  /** What the operation takes, the preferred one first: `application/json`, `multipart/form-data`, `text/plain` … */
  readonly contentTypes: readonly string[];
  /** Fields of an object body; empty where the body is not an object or its fields are not described. */
  readonly fields: readonly BodyField[];
  /** False where the description allows fields that it does not name; then unknown fields are not refused. */
  readonly closed: boolean;
  /** What the body is as a whole. */
  readonly shape: 'object' | 'array' | 'text' | 'binary' | 'any';
}

export type PaginationStyle = 'none' | 'link' | 'page' | 'cursor' | 'since' | 'offset' | 'start' | 'next-url';

export interface OperationRow {
  /** Unique in its table, at most 64 characters of `[A-Za-z0-9_./-]`: the vendor's id, or one made from method and path. */
  readonly id: string;
  /** Upper case. */
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** Template with `{name}`; starts with a slash, without the server's base path. */
  readonly path: string;
  /** Another server than the provider's, where the description names one for this operation. */
  readonly server?: string;
  readonly parameters: readonly OperationParameter[];
  readonly body?: OperationBody;
  /** Declared statuses, ascending. */
  readonly success: readonly number[];
  readonly errors: readonly number[];
  /** Content types of the successful answers. */
  readonly produces: readonly string[];
  /** What the description claims of a successful answer; a hint, never trusted (PRV-4). */
  readonly responseShape: 'array' | 'object' | 'text' | 'binary' | 'none' | 'any';
  readonly pagination: PaginationStyle;
  readonly deprecated: boolean;
  /** ISO dates, where the vendor publishes them. */
  readonly deprecationDate?: string;
  readonly removalDate?: string;
  readonly cloudOnly: boolean;
  /** False where the vendor says that apps may not call it; absent where it says nothing. */
  readonly appEnabled?: boolean;
  /** Notifies people; the governor spaces such calls (PRV-10). */
  readonly notifies: boolean;
  readonly docs?: string;
  readonly category?: string;
  readonly subcategory?: string;
}

/** An operation of the description that is not in the table, with the reason. */
export interface OperationGap {
  readonly method: string;
  readonly path: string;
  readonly reason: string;
}

export interface OperationTable {
  /** Version of the compiler that made it; part of the artifact. */
  readonly compiler: string;
  readonly provider: string;
  readonly apiVersion: string;
  /** `sha256:<hex>` of the description's bytes before overlay and selection. */
  readonly specDigest: string;
  readonly specFormat: 'openapi-3.0' | 'openapi-3.1' | 'swagger-2.0';
  /** Path that the description puts before every operation, for example `/api/v1`; empty where there is none. */
  readonly basePath: string;
  /** Sorted by id. */
  readonly operations: readonly OperationRow[];
  /** Sorted by path and method. */
  readonly gaps: readonly OperationGap[];
}

/** Bounds of a table (PRV-8). */
export const MAX_OPERATIONS = 2_048;
export const MAX_PARAMETERS = 64;
export const MAX_BODY_FIELDS = 128;
export const MAX_ARTIFACT_BYTES = 8 * 1024 * 1024;
