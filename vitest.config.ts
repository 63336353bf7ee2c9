/**
 * Tests run from dist/, as compiled by tsc: what is tested is what runs, and coverage maps back to
 * the sources line by line.
 */

import { tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['dist/**/*.test.js'],
    // Node loads the compiled files itself; rewritten by vite, their coverage names wrong lines.
    server: { deps: { external: [/\/dist\//] } },
    // A hung test must end some time; how fast a machine is, no test judges. The first start of a
    // browser that has just been installed takes long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Many tests wait for processes of their own: none of the cores is to stand idle for that.
    maxWorkers: '100%',
    pool: 'forks',
    // One process for many files: nothing here keeps state between them.
    isolate: false,
    // Has vitest end its processes in order. Killed ones leave no coverage behind.
    execArgv: [`--diagnostic-dir=${tmpdir()}`],
    reporters: ['default', 'json'],
    outputFile: { json: 'coverage/tests.json' },
  },
})
