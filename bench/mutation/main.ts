/**
 * `npm run mutants`: plants small mistakes in a copy of the engine, one at a time, and says who notices each:
 * the scenarios, else a share of the swarm, else the unit tests. A mistake that the type checker refuses
 * counts nowhere, because it could not be built.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BadLines } from '../../server/terminal/bad-input.ts'
import { commandOf, exitCodes } from '../../server/terminal/command.ts'
import type { OptionTable, ParsedOptions } from '../../server/terminal/options.ts'
import { outputOf } from '../../server/terminal/output.ts'
import { fromOne, wholeNumber } from '../../server/terminal/readers.ts'
import { engineMutants, isIn, keyOf, readEquivalents, repository, sampleOf } from './mutants.ts'
import type { Mutant } from './mutants.ts'

const table = {
  'sample <n>': { help: 'plant so many, drawn from all', default: '20' },
  'seed <n>': { help: 'draw by this seed', default: String(Date.now() % 1e6) },
  'only <path>...': 'plant them in this file or folder',
  equivalents: 'plant those that nothing can notice, and look that nothing does',
} as const satisfies OptionTable

/** Processor seconds of one process: several times what the engine without a mistake takes. */
const secondsAtMost = 200

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const sim = ['dist/bench/cli/mergeyard.js', 'sim', '--once', '--no-report']
const withFeatures = (...features: string[]) => features.flatMap((each) => ['--with', each])

/** Who may notice a mistake, as commands of Node, in the order in which they are asked. */
const judges = {
  scenarios: [[...sim, 'scenarios']],
  swarm: [
    [...sim, '--seeds', '150'],
    // The rules of the interface document, by the model alone.
    [...sim, '--seeds', '151..300', '--model', '--set', 'queue.policy=documented'],
    // Features that depend on each other, and seldom meet by chance.
    [...sim, '--seeds', '301..350'].concat(
      withFeatures('batching', 'culprits', 'optimistic merging', 'adaptive policy'),
    ),
    [...sim, '--seeds', '351..400'].concat(
      withFeatures('batching', 'parallel mode', 'target uploads', 'restarts'),
    ),
    [...sim, '--seeds', '401..450'].concat(
      withFeatures('batching', 'flaky tests', 'adaptive policy', 'lost runs'),
    ),
  ],
  'unit tests': [
    ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', 'dist/engine', 'dist/sim/replay'].concat(
      ...['dist/server/store/command-log', 'dist/server/store/recover', 'dist/sim/scenario/load'],
    ),
  ],
} as const satisfies Readonly<Record<string, readonly string[][]>>

const typeCheck = {
  extends: './tsconfig.json',
  compilerOptions: {
    composite: false,
    incremental: false,
    tsBuildInfoFile: null,
    noEmitOnError: true,
    declaration: false,
    sourceMap: false,
    // A mistake may leave a variable unused or code unreachable.
    noUnusedLocals: false,
    noUnusedParameters: false,
    allowUnreachableCode: true,
  },
  files: [],
  include: ['engine'],
  exclude: ['**/*.test.ts', '**/testing/**'],
}

/** A copy of what is built. What no mistake changes is linked. */
function copyOfRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-mutants-'))
  const [copied, left] = [/^(dist|engine)$|\.(json|ts)$/, /^(\.git|coverage|reports)$/]
  for (const name of readdirSync(repository)) {
    if (left.test(name)) continue
    const [from, to] = [join(repository, name), join(folder, name)]
    if (copied.test(name)) cpSync(from, to, { recursive: true })
    else symlinkSync(from, to)
  }
  writeFileSync(join(folder, 'tsconfig.mutant.json'), JSON.stringify(typeCheck))
  return folder
}

/** Runs Node with a limit of processor time, which is the same on a busy machine. Returns whether all is well. */
function holds(folder: string, args: readonly string[]): boolean {
  const limited = `ulimit -t ${secondsAtMost}; exec "$0" "$@"`
  const options = {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, INIT_CWD: folder },
  } as const
  return spawnSync('sh', ['-c', limited, process.execPath, ...args], options).status === 0
}

type Verdict = keyof typeof judges | 'refused by the types' | 'nothing'

/** Compiles the engine with this text of a file, asks the judges, and restores the text. */
function verdictOn(folder: string, mutant: Pick<Mutant, 'file' | 'source'> | null): Verdict {
  if (mutant) writeFileSync(join(folder, mutant.file), mutant.source)
  const isBuilt = holds(folder, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.mutant.json'])
  if (mutant) cpSync(join(repository, mutant.file), join(folder, mutant.file))
  if (!isBuilt) return 'refused by the types'
  for (const name of ['scenarios', 'swarm', 'unit tests'] as const) {
    if (!judges[name].every((args) => holds(folder, args))) return name
  }
  return 'nothing'
}

/** A share in percent, and whether it is at least the goal. */
function goal(what: string, noticed: number, of: number, percent: number): boolean {
  const isMet = noticed * 100 >= percent * of
  const share = of === 0 ? '-' : `${((100 * noticed) / of).toFixed(1)} %`
  say(`${isMet ? 'met   ' : 'MISSED'}  ${what}: ${noticed} of ${of}, ${share}, goal ${percent} %`)
  return isMet
}

/** Only servers read recordings and documents, so no simulated run can show a mistake there. */
const isSimulated = ({ file }: Mutant): boolean => !/^engine\/(recording|documents)\//.test(file)

function optionsOf(parsed: ParsedOptions<typeof table>) {
  return {
    size: parsed.read('sample', fromOne),
    seed: parsed.read('seed', wholeNumber),
    only: parsed.list('only'),
    isOfEquivalents: parsed.flag('equivalents'),
  }
}

function judgeAll(
  folder: string,
  { size, seed, only, isOfEquivalents }: ReturnType<typeof optionsOf>,
): boolean {
  const equivalent = new Set(readEquivalents().map(keyOf))
  const wanted = engineMutants()
    .filter((each) => equivalent.has(keyOf(each)) === isOfEquivalents)
    .filter((each) => only.length === 0 || only.some((path) => isIn(each, path)))
  const sample = sampleOf(wanted, size, seed)
  say(`${sample.length} of ${wanted.length} mutants, --seed ${seed}`)
  const sound = verdictOn(folder, null)
  if (sound !== 'nothing')
    throw new Error(`without a mistake, this fails: ${sound}; build, and mend it`)
  const judged = sample.map((mutant) => {
    const verdict = verdictOn(folder, mutant)
    const { file, line, operator, from, to } = mutant
    say(`${verdict.padEnd(20)}  ${file}:${line}  ${operator}  ${from} → ${to}`)
    return { mutant, verdict }
  })
  const counted = judged.filter(({ verdict }) => verdict !== 'refused by the types')
  const noticed = counted.filter(({ verdict }) => verdict !== 'nothing')
  if (isOfEquivalents) return noticed.length === 0
  const simulated = counted.filter(({ mutant }) => isSimulated(mutant))
  const bySim = simulated.filter(({ verdict }) => verdict === 'scenarios' || verdict === 'swarm')
  const isSeen = goal('noticed by anything', noticed.length, counted.length, 97)
  return goal('noticed by scenarios or swarm', bySim.length, simulated.length, 85) && isSeen
}

const usage = {
  command: 'mutants',
  npm: 'npm run mutants --',
  about: `Plant small mistakes in a copy of the engine, one at a time, and say who notices each.

  npm run mutants -- --only engine/rules --sample 50`,
  table,
}

const main = commandOf(usage, (parsed) => {
  const options = optionsOf(parsed)
  const folder = copyOfRepository()
  try {
    return Promise.resolve(judgeAll(folder, options) ? exitCodes.success : exitCodes.failure)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const [stdout, stderr] = [outputOf(process.stdout), outputOf(process.stderr)]
const { signal } = new AbortController()
try {
  process.exitCode = await main(process.argv.slice(2), { stdout, stderr, env: process.env, signal })
} catch (error) {
  if (!(error instanceof BadLines)) throw error
  stderr.write(`${error.lines.join('\n')}\n`)
  process.exitCode = exitCodes.badInput
}
