/**
 * Tests run from dist/, as compiled by tsc: they test the code that runs, and coverage maps back to
 * the sources line by line.
 *
 * Measuring coverage nearly doubles the processor time of a test. So under `c8` only the tests that
 * cover the engine measure it. With `vitest run --mode coverage` all tests measure it.
 */

import { availableParallelism, totalmem } from 'node:os'
import { defineConfig } from 'vitest/config'
import { isPostgresMissing } from './server/postgres/testing/private-postgres.ts'

// In a hook, git names the repository of the hook to every git: tests would commit there. And no test goes by the
// settings of whoever runs it.
for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name]
Object.assign(process.env, { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' })

/**
 * These limits only stop tests that hang. No test has its own limit, because no test may depend on the speed
 * of the machine: beside eight busy processes, a test has a tenth of the processor that it has alone.
 */
const hangMs = 600_000

/** Many tests wait for other processes: servers, git, browsers. A worker can grow to a gigabyte. */
const workersPerCore = totalmem() / availableParallelism() > 3 * 2 ** 30 ? 2 : 1.5

const all = 'dist/**/*.test.js'

/** These tests together cover the engine. */
const coveringEngine = [
  'dist/engine/**/*.test.js',
  'dist/sim/{properties,run}/**/*.test.js',
  'dist/.ci/tidy/loading.test.js',
]

/**
 * These tests start thousands of processes. Node forks for each, which copies the page tables of the worker, so
 * they share no worker with others: those grow to a gigabyte.
 */
const startingProcesses = [
  'dist/server/{code-host,git,gitea,github,gitlab,hosting,runner,targets}/**/*.test.js',
  'dist/bench/rehearsal/**/*.test.js',
  'dist/bench/cli/{try,serve,doctor,queue}/**/*.test.js',
  'dist/bench/cli/junit-reports.test.js',
]

/** One story for each boundary, which `npm test` runs as well: a server, real git, a page. */
const boundaries = [
  'dist/bench/cli/serve/readme.test.js',
  'dist/bench/cli/start/readme.test.js',
  'dist/bench/page/live/story.test.js',
  'dist/server/git/compose.test.js',
]

/** What `npm run test:all` adds: browsers, databases, kills, campaigns and long searches. */
const long = [
  'dist/**/*-in-a-browser.test.js',
  'dist/**/in-a-browser.test.js',
  'dist/bench/{benchmarks,cluster,mutation,over}/**/*.test.js',
  'dist/bench/capacity/*.test.js',
  'dist/bench/cli/{admin,bench,compare,start,tune}/**/*.test.js',
  'dist/bench/cli/sim/{campaigns,commit,exhaustive}.test.js',
  'dist/bench/page/live/{actions,layout,walk}.test.js',
  'dist/server/cli/start.test.js',
  'dist/server/postgres/**/*.test.js',
  'dist/sim/cli/soak.test.js',
  'dist/sim/theory/**/*.test.js',
]

/** The API behaves the same with a data folder and on a PostgreSQL, so these tests run with both. */
const onBothStores = [
  'dist/server/{batching,interface,walk}.test.js',
  'dist/server/auth/gate.test.js',
  'dist/server/operations/impacted-targets.test.js',
]

/** These as well, but what they say of a PostgreSQL is part of the matrix. */
const inTheMatrix = [
  'dist/server/auth/failures.test.js',
  'dist/server/http/bodies.test.js',
  'dist/server/metrics/prometheus.test.js',
  'dist/server/operations/{pull-requests,queues,test-cases}.test.js',
]

/** Node measures nothing, also in the processes that tests start, if the variable is empty. */
const coverage = (isMeasured: boolean) =>
  isMeasured ? { environment: './.ci/writing-coverage.mjs' } : { env: { NODE_V8_COVERAGE: '' } }

/**
 * What all projects have. They do not extend the options of the whole run, so that a number of workers on the
 * command line counts.
 */
const each = {
  // Node loads the compiled files without vite, because vite rewrites them, and then the coverage
  // has wrong line numbers.
  server: { deps: { external: [/\/dist\//] } },
  pool: 'forks' as const,
  testTimeout: hangMs,
  hookTimeout: hangMs,
  expect: { poll: { timeout: hangMs / 2, interval: 50 } },
  setupFiles: './.ci/seeded-draws.mjs',
  // Test files share processes, because no file leaves state behind.
  isolate: false,
}

const shared = (isMeasured: boolean, name: string, include: string[]) => ({
  test: {
    ...each,
    name,
    include,
    globalSetup: 'dist/server/testing/provide-postgres.js',
    ...coverage(isMeasured),
  },
})

export default defineConfig(({ mode }) => ({
  test: {
    projects: [
      {
        test: { ...each, name: 'covering', include: coveringEngine, ...coverage(true) },
      },
      {
        test: {
          ...each,
          name: 'others',
          include: [all],
          exclude: [...coveringEngine, ...startingProcesses, ...long, ...boundaries],
          ...coverage(mode === 'coverage'),
        },
      },
      {
        test: {
          ...each,
          name: 'boundaries',
          include: boundaries,
          ...coverage(mode === 'coverage'),
        },
      },
      {
        test: {
          ...each,
          name: 'long',
          include: long,
          exclude: [...coveringEngine, ...startingProcesses, ...boundaries],
          ...coverage(mode === 'coverage'),
        },
      },
      {
        test: {
          ...each,
          name: 'processes',
          include: startingProcesses,
          exclude: boundaries,
          ...coverage(mode === 'coverage'),
        },
      },
      ...(isPostgresMissing()
        ? []
        : [
            shared(mode === 'coverage', 'shared', onBothStores),
            shared(mode === 'coverage', 'shared-matrix', inTheMatrix),
          ]),
    ],
    maxWorkers: Math.ceil(workersPerCore * availableParallelism()),
    teardownTimeout: hangMs,
    tags: [
      {
        name: 'matrix',
        description:
          'the same decision on one more host, store or size, or at one more moment: `npm run test:matrix`',
      },
    ],
    reporters: ['default', 'json'],
    outputFile: { json: 'coverage/tests.json' },
  },
}))
