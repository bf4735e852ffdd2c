export {
  type BodyField,
  MAX_ARTIFACT_BYTES,
  MAX_BODY_FIELDS,
  MAX_OPERATIONS,
  MAX_PARAMETERS,
  type OperationBody,
  type OperationGap,
  type OperationParameter,
  type OperationRow,
  type OperationTable,
  type PaginationStyle,
  type ParameterStyle,
  type ValueType,
} from './operation-row.ts';
export type { ArgumentProblem, ProblemCode } from './argument-problem.ts';
export { buildRequest, type BuildResult, type BuiltRequest } from './build-request.ts';
export { type ArgumentCheck, checkArguments } from './check-arguments.ts';
export type { CheckedArguments, CheckedBody, ParameterValue } from './checked-arguments.ts';
export { classifyResponse, type ResponseFacts, type ResponseFailure, type ResponseOutcome } from './classify-response.ts';
export type { ContractCase, ExpectedRequest } from './contract-case.ts';
export { type CaseOptions, contractCases, sampleArgs } from './contract-cases.ts';
export { MAX_ERROR_CHARACTERS } from './error-text.ts';
export type { FailureKind } from './failure-kind.ts';
export type { FileValue } from './file-value.ts';
export { findOperation, type OperationLookup } from './find-operation.ts';
export { type Items, itemsOf } from './items-of.ts';
export { nearestName } from './near-name.ts';
export { type NextPage, nextPage } from './next-page.ts';
export { type PageFacts, type PageWalk, WALK_START } from './page-walk.ts';
export { type PagingParameters, pagingParameters } from './paging-parameters.ts';
export { readRateLimit } from './rate-limit.ts';
export type { RequestBody } from './request-body.ts';
export type { RequestTarget } from './request-target.ts';
export { provesBuildable, runContractCase } from './run-contract-case.ts';
export { isTransportHeader } from './transport-header.ts';
export { readTable, type ReadTable, TABLE_FILE_VERSION, writeTable } from './table-file.ts';
