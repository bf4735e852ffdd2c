/**
 * A tool as a client declares it, whatever protocol it came in. A tool is known by three things at once: its namespace,
 * its name and its kind; none of them is ever parsed out of another.
 */

/** `hosted`: the model provider runs it; its name is its kind, such as `web_search`. */
export type ToolKind = 'function' | 'custom' | 'tool_search' | 'hosted';

export interface ToolName {
  /** Undefined at the root. */
  readonly namespace: string | undefined;
  readonly name: string;
  readonly kind: ToolKind;
}

/** Where a declaration stands in the request (MOD-7). */
export type ToolSource = 'tools' | 'additional_tools' | 'tool_search_output';

export interface ToolDeclaration extends ToolName {
  readonly source: ToolSource;
  readonly description: string;
  /** JSON Schema of the arguments; an empty object schema where the client gives none. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly strict: boolean | undefined;
  /** Rules of a freeform input, as text for people and models: the grammar with its syntax. */
  readonly grammar: { readonly syntax: string; readonly definition: string } | undefined;
  /** The declaration as it came, for an upstream that takes it unchanged. */
  readonly wire: Readonly<Record<string, unknown>>;
  /** The namespace object around it, as it came. */
  readonly wireNamespace: Readonly<Record<string, unknown>> | undefined;
}

/** Text that tells two tools apart: the length of the namespace says where the name begins, whatever the two hold. */
export const toolKey = ({ namespace, name, kind }: ToolName): string => `${kind} ${namespace === undefined ? '-' : namespace.length} ${namespace ?? ''}${name}`;

/** A tool for people: `namespace/name`, cut where it is long. */
export const sayTool = ({ namespace, name }: ToolName): string => JSON.stringify((namespace === undefined ? name : `${namespace}/${name}`).slice(0, 120));
