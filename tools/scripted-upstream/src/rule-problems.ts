/**
 * Turns a zod failure into sentences with the path of each field, as a vendor's refusal would name it.
 * The innermost problem is told, since "invalid input" of a union helps nobody.
 */
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;
const MAX_PROBLEMS = 5;

/** The problem of a union is that of the branch that fits furthest. */
function innermost(issue: Issue, above: readonly PropertyKey[]): { readonly path: readonly PropertyKey[]; readonly message: string } {
  const path = [...above, ...issue.path];
  const branches = issue.code === 'invalid_union' ? issue.errors.flatMap(branch => branch.slice(0, 1)) : [];
  const inner = branches.map(first => innermost(first, path));
  return inner.toSorted((left, right) => right.path.length - left.path.length)[0] ?? { path, message: issue.message };
}

function sentence(issue: Issue): string {
  const { path, message } = innermost(issue, []);
  return `${path.map(String).join('.')}: ${message}`;
}

export const ruleProblems = (error: z.ZodError): readonly string[] => error.issues.slice(0, MAX_PROBLEMS).map(sentence);
