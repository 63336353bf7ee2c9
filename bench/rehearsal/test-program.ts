/**
 * The tests of a staged repository. This file is copied into it as `test.mjs`, so it imports only Node.
 *
 * Each pull request adds a file to `pulls/`, which says what it breaks. The tests read all of them and
 * decide as the world of the simulator does, but from the files that are really there.
 */

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

type FlakyRun =
  | number
  | { readonly run: number; readonly tests: string[]; readonly retried?: string[] }

type Change = {
  readonly number: number
  readonly breaks?: boolean
  readonly breaksWith?: readonly number[]
  readonly fixes?: readonly number[]
  readonly flakyRuns?: readonly FlakyRun[]
}

type Flake = {
  readonly fails: boolean
  readonly tests: readonly string[]
  readonly retried: readonly string[]
}

const {
  MERGEYARD_RUN: run = '',
  MERGEYARD_PULLS: pulls = '',
  REHEARSAL: rehearsal = '',
} = process.env

const changes = existsSync('pulls') ? readdirSync('pulls').map(changeIn) : []

function changeIn(file: string): Change {
  const change: Change = JSON.parse(readFileSync(join('pulls', file), 'utf8'))
  return change
}

const fixed = new Set(changes.flatMap(({ fixes = [] }) => fixes))

function areTogether(a: Change, b: Change): boolean {
  return (a.breaksWith ?? []).includes(b.number) || (b.breaksWith ?? []).includes(a.number)
}

function isCulprit(change: Change): boolean {
  if (fixed.has(change.number)) return false
  if (change.breaks === true) return true
  return changes.some((other) => areTogether(change, other) && !fixed.has(other.number))
}

/** What was planned for this run, or what the changes themselves say about their first runs. */
function flakeOfRun(): Flake {
  // The id of a run ends with its number, in hexadecimal digits.
  const plan = join(rehearsal, 'plans', `${Number.parseInt(run.slice(-8), 16)}.json`)
  if (rehearsal !== '' && existsSync(plan)) {
    const flake: Flake = JSON.parse(readFileSync(plan, 'utf8'))
    return flake
  }
  const tested = new Set(pulls.split(',').map(Number))
  const flaky = changes.filter(({ number }) => tested.has(number)).flatMap(scripted)
  return {
    fails: flaky.some((each) => typeof each === 'number' || each.tests.length > 0),
    tests: flaky.flatMap((each) => (typeof each === 'number' ? [] : each.tests)),
    retried: flaky.flatMap((each) => (typeof each === 'number' ? [] : (each.retried ?? []))),
  }
}

/** Counts the runs that test a flaky change, in a folder outside of the repository. */
function scripted({ number, flakyRuns = [] }: Change): FlakyRun[] {
  if (rehearsal === '' || flakyRuns.length === 0) return []
  mkdirSync(join(rehearsal, 'runs'), { recursive: true })
  const counter = join(rehearsal, 'runs', String(number))
  appendFileSync(counter, '.')
  const position = statSync(counter).size
  return flakyRuns.filter((each) => (typeof each === 'number' ? each : each.run) === position)
}

const culprits = changes.filter(isCulprit).map(({ number }) => `what pull request ${number} breaks`)
const flake = flakeOfRun()
const failed = [...culprits, ...flake.tests.filter((name) => !culprits.includes(name))]
const retried = flake.retried.filter((name) => !failed.includes(name))

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
const passedCase = (name: string): string => `<testcase name="${escaped(name)}"/>`
const failedCase = (name: string): string =>
  `<testcase name="${escaped(name)}"><failure message="it does not hold"/></testcase>`

writeFileSync(
  'report.xml',
  [
    '<testsuite name="stage">',
    passedCase(`${changes.length} changes can be read`),
    ...failed.map(failedCase),
    ...retried.flatMap((name) => [failedCase(name), passedCase(name)]),
    '</testsuite>\n',
  ].join('\n'),
)

for (const name of failed) process.stdout.write(`FAILED  ${name}\n`)
const isFailed = failed.length > 0 || flake.fails
const waitMs = Number(process.env['REHEARSAL_MS'] ?? 0)
setTimeout(() => {
  const words = isFailed ? `failed ${failed.length}` : `passed, with ${changes.length} changes`
  process.stdout.write(`${words}\n`)
  process.exitCode = isFailed ? 1 : 0
}, waitMs)
