import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const pureCore = [
  { selector: 'ThrowStatement', message: 'core/ answers with a value; it does not throw.' },
  { selector: 'AwaitExpression', message: 'core/ is synchronous.' },
  { selector: 'ClassDeclaration', message: 'core/ is functions and data.' },
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/*.cjs', '**/node_modules/**', '**/*.generated.ts', '**/fixtures/**', '.weir-state/**'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 12],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: false } }],
    },
  },
  { files: ['apps/dashboard/**/*.{ts,tsx}'], ...reactHooks.configs.flat.recommended },
  { files: ['**/*.test.ts', '**/seeds.fixture.ts'], rules: { 'max-lines': 'off' } },
  {
    files: ['core/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': ['error', { name: 'Date', message: 'Time arrives from outside. core/ has no clock.' }],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random', message: 'Randomness arrives from outside. core/ is replayable.' }],
      'no-restricted-syntax': ['error', ...pureCore],
    },
  },
);
