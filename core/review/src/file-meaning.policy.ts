/** In what order a person reads the files of a change: what others rely on, what it does, what surrounds it, what shows that it works. */
import type { ApiMeaning } from '@weir/contract';

/** The first that fits. Read of the path alone; a file that fits none is the core of the change. */
const MEANINGS: readonly (readonly [RegExp, ApiMeaning])[] = [
  [/(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures|testdata)\//i, 'tests'],
  [/(?:[._-](?:test|spec|fixture)\.[a-z]{1,5}|_test\.[a-z]{1,4}|(?:^|\/)test_[^/]{1,200}\.py)$/i, 'tests'],
  [/(?:^|\/)(?:contracts?|schemas?|api|proto|interfaces|ports|types|migrations)\//i, 'contract'],
  [/\.(?:proto|graphql|graphqls|avsc|d\.ts|sql|schema\.json)$/i, 'contract'],
  [/(?:^|\/)(?:openapi|swagger)[^/]{0,100}\.(?:json|ya?ml)$/i, 'contract'],
  [/(?:^|\/)(?:docs?|\.[a-z][a-z-]{0,40}|ci|scripts|examples|deploy|infra|public|assets|styles)\//i, 'edges'],
  [/\.(?:md|mdx|rst|txt|ya?ml|toml|ini|cfg|json|lock|css|scss|svg|png|jpe?g|gif|ico|woff2?)$/i, 'edges'],
  [/(?:^|\/)(?:Dockerfile|Makefile|LICENSE|\.[^/]{1,100})$/, 'edges'],
];

export const fileMeaning = (path: string): ApiMeaning => MEANINGS.find(([pattern]) => pattern.test(path))?.[1] ?? 'core';
