import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { engineParts } from '../../engine/index.ts'
import type { RunSoak, SoakSummary } from '../soak/run-soak.ts'
import { soakSeed, type SoakSetup } from '../soak/soak-seed.ts'
import { plantedDefect, setupWith } from '../soak/testing/planted.ts'
import { onCores } from '../campaign/over-cores.ts'
import { BadInput } from '../../server/terminal/bad-input.ts'
import { captured } from '../../server/terminal/testing/captured.ts'
import type { Output, Surroundings } from '../../server/terminal/testing/captured.ts'
import { soakCommand } from './soak.ts'
import { temporaryFolder } from '../../server/terminal/testing/temporary-folder.ts'

const folder = temporaryFolder()
afterEach(() => rmSync(join(folder, 'reports'), { recursive: true, force: true }))

/** Runs a soak in this process with the engine of `setup`, until a signal is aborted. */
const runWith =
  (setup: Partial<SoakSetup>): RunSoak =>
  async ({ seeds, onRun, enough, signal }) => {
    for (const seed of seeds) {
      if (enough?.aborted === true || signal?.aborted === true) return
      onRun(soakSeed(seed, setup))
      await nextTurn()
    }
  }

const sound: Partial<SoakSetup> = { ...setupWith(plantedDefect), parts: engineParts }
const broken = setupWith(plantedDefect)

/** The words of a command line behind `soak`. */
function soak(
  line: string,
  run: RunSoak = runWith(sound),
  surroundings: Surroundings = {},
): Promise<Output> {
  const main = soakCommand((_parsed, _command, _context, work) => work(onCores), run)
  const env = { INIT_CWD: folder }
  return captured((context) => main(line.split(' '), context), { ...surroundings, env })
}

async function summaryOf(line: string, run?: RunSoak): Promise<SoakSummary> {
  const summary: SoakSummary = JSON.parse((await soak(`${line} --json --no-report`, run)).out)
  return summary
}

const failures = (): string[] => readdirSync(join(folder, 'reports', 'failures'))

// S-338
describe('a soak until it is quiet', () => {
  test('stops when nothing new has come for long, and what was handed out besides does not count', async () => {
    const one = soakSeed(51, sound)
    const shown = { ...one, kind: 'swarm' as const, seen: soakSeed(1, sound).seen }
    const run: RunSoak = async ({ onRun }) => {
      for (let seed = 1; seed <= 100; seed++) onRun({ ...shown, seed })
      return Promise.resolve()
    }
    const { unseen, seeds } = await summaryOf('--seeds 100 --until-quiet 0.1', run)
    expect(seeds).toBe(30)
    expect(unseen).toMatchObject({ runs: 30, chance: { steps: 0, states: 0 } })
  })
})

// S-340
describe('what earlier runs have shrunk', () => {
  test('runs first, and fails the soak as long as it fails', async () => {
    const path = join(folder, 'reports', 'failures')
    mkdirSync(path, { recursive: true })
    const scenario = { name: 'kept', pullRequests: [{ number: 1 }], expect: { failed: [1] } }
    writeFileSync(join(path, 'kept.json'), JSON.stringify(scenario))
    writeFileSync(
      join(path, 'mended.json'),
      JSON.stringify({ ...scenario, expect: { merged: [1] } }),
    )
    writeFileSync(join(path, 'old.json'), '{ "nam')
    const { code, out } = await soak('--seeds 51..52 --no-report')
    expect(code).toBe(1)
    expect(out.split('\n').slice(0, 3)).toEqual([
      'reports/failures/kept.json STILL FAILS',
      'reports/failures/mended.json holds now',
      'reports/failures/old.json is no scenario any more',
    ])
  })
})

describe('a soak', () => {
  test('given an engine without a defect, prints a table, writes the summary and exits with 0', async () => {
    const { code, out, err } = await soak('--seeds 51..52')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^soak {3}seeds 51\.\.52 {3}2 seeds {3}in .+\n/)
    expect(out).toMatch(/^ +seeds +runs +checks +findings$/m)
    expect(out).toMatch(/^swarm +1 +1 +[\d,]+ +0$/m)
    expect(out).toMatch(/^marks reached +\d+ of \d+$/m)
    expect(out).toMatch(/^defects found +1 of 1$/m)
    expect(out).toMatch(/^holds$/m)
    const summary: SoakSummary = JSON.parse(
      readFileSync(join(folder, 'reports', 'soak', 'summary.json'), 'utf8'),
    )
    expect(summary).toMatchObject({ soak: 5, seeds: 2, findings: [] })
  })

  test('given an engine with a defect, names the seeds, shrinks the first of each kind and exits with 1', async () => {
    const { code, out } = await soak('--seeds 1..6', runWith(broken))
    expect(code).toBe(1)
    expect(out).toContain('DOES NOT HOLD  in 6 seeds: 1, 2, 3, 4, 5, 6\n')
    expect(out).toContain('reproduce with npm run soak -- --seed 1\n')
    expect(failures()).toEqual(['swarm-1-agrees-with-the-model.json'])
    expect(out).toMatch(
      /^run it with +npm run sim -- reports\/failures\/swarm-1-agrees-with-the-model/m,
    )
  })

  test('given --no-report, shrinks no finding', { tags: ['matrix'] }, async () => {
    const { code, out } = await soak('--seeds 4..4 --no-report', runWith(broken))
    expect(code).toBe(1)
    expect(out).not.toContain('shrunk')
    expect(failures).toThrow('ENOENT')
  })

  test('given a planted defect that no property detects, exits with 1', async () => {
    const hunt = () => ({ defect: 'wake-not-armed', runs: 9, isFound: false })
    const run = runWith({ parts: engineParts, hunt })
    const { code, out } = await soak('--seed 51 --no-report', run)
    expect(code).toBe(1)
    expect(out).toContain('No property detected the planted defect wake-not-armed in 9 runs.')
  })

  test('--for starts at a random seed and stops after the time', { tags: ['matrix'] }, async () => {
    const one = await summaryOf('--for 0.01s')
    const other = await summaryOf('--for 0.01s')
    expect(one.ran).toHaveLength(1)
    expect(one.ran[0]?.from).not.toBe(other.ran[0]?.from)
  })
})

describe('an interrupted soak', () => {
  /** Ctrl-C after the second seed. */
  function interrupted(line: string, setup: Partial<SoakSetup> = sound): Promise<Output> {
    const interrupt = new AbortController()
    const run: RunSoak = (soaking) =>
      runWith(setup)({
        ...soaking,
        onRun: (done) => {
          soaking.onRun(done)
          if (done.seed % 2 === 0) interrupt.abort()
        },
      })
    return soak(`${line} --json --no-report`, run, { signal: interrupt.signal })
  }

  test('given no end, exits with 0 if everything holds', { tags: ['matrix'] }, async () => {
    const { code, out } = await interrupted('--seeds-from any')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ findings: [] })
  })

  test('given an end that was not reached, prints the summary so far and exits with 130', async () => {
    const { code, out } = await interrupted('--seeds 1..1000')
    expect(code).toBe(130)
    expect(JSON.parse(out)).toMatchObject({ seeds: 2, ran: [{ from: 1, to: 2 }] })
  })

  test('given a finding, exits with 1', { tags: ['matrix'] }, async () => {
    expect((await interrupted('--seeds 4..1000', broken)).code).toBe(1)
  })
})

test('given that its work fails, the bar is taken away and the cursor is there again', async () => {
  let shown = ''
  const failing: RunSoak = () => Promise.reject(new Error('a worker is lost'))
  const surroundings: Surroundings = {
    isTerminal: 'stderr',
    onPrinted: (_piece, { err }) => void (shown = err),
  }
  await expect(soak('--seeds 1..2 --no-report', failing, surroundings)).rejects.toThrow('lost')
  expect(shown).toContain('soak')
  expect(shown).toContain('\u001B[?25h')
})

test.each([
  ['scenario.json', 'options only'],
  ['--for soon', '60s, 5min or 2h'],
  ['--seeds 5..', 'an end of the range, or --for'],
  ['--seed 1 --for 1m', 'together'],
  ['--until-quiet 1', 'a chance between 0 and 1, for example 0.05, got --until-quiet 1'],
])('%s is refused', async (line, words) => {
  await expect(soak(line)).rejects.toThrow(words)
  await expect(soak(line)).rejects.toBeInstanceOf(BadInput)
})
