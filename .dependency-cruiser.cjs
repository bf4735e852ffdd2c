/** The floors (ARCHITECTURE.md). A room may import the floors below it that are named here, and nothing else of this house. */
const house = '^(contract|lib|ports|core|engine|workers|adapters|specialists|apps|tools|tests)/';
/** Fixtures serve tests alone, and `only-tests-use-fixtures` holds it. */
const tests = '\\.(test|fixture)\\.tsx?$';
const may = (room, ...below) => ({
  name: `${room}-knows-only-${below.join('-and-') || 'itself'}`,
  severity: 'error',
  from: { path: `^${room}/`, pathNot: tests },
  to: { path: house, pathNot: [room, ...below].map(r => `^${r}/`) },
});
const pure = room => ({
  name: `${room}-does-no-io`,
  severity: 'error',
  from: { path: `^${room}/`, pathNot: tests },
  to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'], pathNot: ['node_modules/zod/'] },
});
const apart = room => ({
  name: `${room}-packages-do-not-meet`,
  severity: 'error',
  from: { path: `^${room}/([^/]+)/`, pathNot: tests },
  to: { path: `^${room}/`, pathNot: `^${room}/$1/` },
});
module.exports = {
  forbidden: [
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-orphan', severity: 'error', from: { orphan: true, pathNot: [tests, '\\.cjs$', 'config\\.'] }, to: {} },
    { name: 'everything-resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    may('contract'),
    may('lib', 'contract'),
    may('ports', 'contract'),
    may('core', 'contract', 'lib'),
    may('engine', 'contract', 'lib', 'ports'),
    may('workers', 'contract', 'lib', 'ports', 'core'),
    {
      name: 'workers-call-the-policies-of-their-own-capability',
      severity: 'error',
      from: { path: '^workers/([^/]+)/', pathNot: tests },
      to: { path: '^core/', pathNot: '^core/$1/' },
    },
    may('adapters', 'contract', 'lib', 'ports'),
    may('specialists', 'contract', 'lib'),
    may('tools', 'contract', 'lib'),
    pure('contract'),
    pure('lib'),
    pure('ports'),
    pure('core'),
    pure('workers'),
    {
      name: 'specialists-touch-the-world-only-through-their-context',
      severity: 'error',
      from: { path: '^specialists/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    apart('core'),
    apart('workers'),
    apart('adapters'),
    apart('specialists'),
    apart('apps'),
    {
      name: 'the-product-never-loads-tools',
      severity: 'error',
      from: { path: '^apps/(?!demo/)', pathNot: tests },
      to: { path: '^tools/' },
    },
    {
      name: 'the-dashboard-knows-only-contract',
      severity: 'error',
      from: { path: '^apps/dashboard/src/', pathNot: tests },
      to: { path: house, pathNot: ['^contract/', '^apps/dashboard/'] },
    },
    {
      name: 'only-the-dashboards-ui-imports-the-kit',
      severity: 'error',
      from: { path: '^apps/dashboard/src/(?!ui/)' },
      to: { path: 'node_modules/@mantine/' },
    },
    { name: 'only-tests-use-fixtures', severity: 'error', from: { pathNot: [tests, '^tests/'] }, to: { path: '\\.fixture\\.tsx?$' } },
    { name: 'a-saga-only-routes', severity: 'error', from: { path: '\\.saga\\.ts$' }, to: { pathNot: ['^contract/', '^lib/kernel/'] } },
    {
      name: 'a-package-has-one-door',
      severity: 'error',
      from: { path: '^([^/]+/[^/]+)/' },
      to: { path: '^(lib|core|workers|adapters|specialists|tools)/[^/]+/src/(?!index\\.ts$)', pathNot: ['^$1/'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
    exclude: '(^|/)dist/',
  },
};
