import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { overCores, type Spread } from '../../../sim/campaign/over-cores.ts'
import { runExhaustive } from '../../../sim/cli/checks.ts'
import { defectNamed, defects, type Defect } from '../../../sim/defects/index.ts'
import { minutesOf, scenarioOf } from '../../../sim/exhaustive/case.ts'
import { lookAt, walk } from '../../../sim/exhaustive/look.ts'
import { scopesOf, titleOf, wholeScopes, type Scope } from '../../../sim/exhaustive/scopes.ts'
import { checkWorker, searchAll, type Searched } from '../../../sim/exhaustive/search.ts'
import type { StepReader } from '../../../sim/observe/run-context.ts'
import { simulate } from '../../../sim/run/simulate.ts'
import { checkScenario } from '../../../sim/scenario/check.ts'
import type { CliContext } from '../../../server/terminal/command.ts'
import { captured } from '../../../server/terminal/testing/captured.ts'
import { toMinutes } from '../../../sim/scenario/time.ts'

const two: Scope = { pullRequests: 2, disturbances: 0, queue: {}, brokenBefore: 0 }

/** Searches a scope here; with a defect only until it is found. */
async function search(scope: Scope, defect?: Defect): Promise<Searched> {
  const found = new AbortController()
  const [searched] = await searchAll({
    scopes: [scope],
    statesAtMost: Infinity,
    signal: found.signal,
    onProgress: () => {},
    check: (tasks, onAnswer) => {
      for (const task of tasks) {
        const answer = checkWorker(task, defect?.parts)
        onAnswer(answer)
        if (!defect || !answer.judged.first) continue
        found.abort()
        break
      }
      return Promise.resolve()
    },
  })
  if (!searched) throw new Error('nothing was searched')
  return searched
}

/** What a search here, one scope by itself, counts. */
async function countsOf(scope: Scope) {
  const { states, steps, runs, checks } = await search(scope)
  return { states, steps, runs, checks }
}

describe('states', () => {
  test('given one pull request, they are those that a reader counts', async () => {
    // Nothing, waiting for its result, merged, failed.
    const one = { ...two, pullRequests: 1 }
    expect(await search(one)).toMatchObject({ states: 4, steps: 4, failed: 0, first: null })
  })

  test('given two that are tested one by one, each is visited once', async () => {
    const known = await search({ ...two, queue: { concurrency: 1 } })
    expect(known).toMatchObject({ states: 10, failed: 0 })
    expect(known.steps).toBeGreaterThan(known.states)
  })

  test('a state does not depend on how many have merged before, nor on when', () => {
    const scope = { ...two, pullRequests: 3 }
    const first = lookAt({ scope, steps: [] }).next[0]
    const merged = first && lookAt({ scope, steps: [first] }).next.find(({ is }) => is === 'result')
    if (!first || !merged) throw new Error('the first pull request has no result')
    const shorter = { ...scope, pullRequests: 2 }
    const [after, before] = [
      lookAt({ scope, steps: [first, merged] }),
      lookAt({ scope: shorter, steps: [] }),
    ]
    expect(after.next.map(({ is }) => is)).toEqual(before.next.map(({ is }) => is))
  })
})

describe('cases', () => {
  const drawn = [1, 5, 7].flatMap((stride) =>
    scopesOf([4, 2]).map((scope, index) =>
      walk(scope, (steps, at) => steps[(7 * index + stride * at) % Math.max(1, steps.length)]),
    ),
  )

  test('are valid scenarios in which exactly the chosen steps happen, when they are chosen', () => {
    for (const small of drawn) {
      const minutes = minutesOf(small)
      const expected = small.steps.flatMap(({ is }, at) => (is === 'result' ? [minutes[at]] : []))
      const results: number[] = []
      const noting = (): StepReader => (step) => {
        if (step.command.type === 'finishTestRun') results.push(toMinutes(step.command.at))
      }
      const scenario = scenarioOf(small)
      expect(() => checkScenario(scenario, 'a case')).not.toThrow()
      simulate(scenario, { isUnhashed: true, observers: [noting] })
      expect(results).toEqual(expect.arrayContaining(expected))
    }
  })

  test('given the scopes of the adaptive policy, all that it decides comes about', () => {
    const seen = new Set<string>()
    const noting = (): StepReader => (step) => {
      for (const event of step.events) {
        if (event.type === 'groupFailed' && event.aside) seen.add('aside')
        if (event.type === 'groupScreened') seen.add('screened')
        if (event.type === 'bisectionStarted' && event.members.length === 1) seen.add('bisected')
      }
    }
    const together = scopesOf([4, 0]).map((scope) =>
      walk(scope, (steps, at) => steps.findLast((step) => 'isTogether' in step) ?? steps[at % 2]),
    )
    for (const small of [...drawn, ...together]) {
      simulate(scenarioOf(small), { isUnhashed: true, observers: [noting] })
    }
    expect([...seen].toSorted()).toEqual(['aside', 'bisected', 'screened'])
  })
})

// S-63, S-342, S-380
describe('--exhaustive', () => {
  const run = async (
    scopes: readonly Scope[],
    statesAtMost: number | null,
    { signal = new AbortController().signal, spread = overCores } = {},
  ) => {
    const options = { json: true, writesFiles: false, statesAtMost, spread }
    const visit = (context: CliContext) => runExhaustive(options, context, scopes)
    const { code, out } = await captured(visit, { signal })
    const document: Searched = JSON.parse(out)
    return { code, document }
  }
  const [documented = two, adaptive = two] = [scopesOf([2, 1])[2], scopesOf([2, 0])[8]]

  test('given two pull requests and one disturbance, visits every state, and all holds', async () => {
    const { code, document } = await run([documented, adaptive], null)
    expect(document).toMatchObject({
      pullRequestsAtMost: 2,
      isComplete: true,
      states: 243,
      failed: 0,
      first: null,
      searches: [
        { ...documented, ...(await countsOf(documented)) },
        { ...adaptive, ...(await countsOf(adaptive)) },
      ],
    })
    expect(code).toBe(0)
  })

  test('given a number of states, judges all cases up to the length at which it is reached', async () => {
    const { document } = await run([documented], 40)
    const { states, steps } = await countsOf(documented)
    expect(document).toMatchObject({ isComplete: false, failed: 0 })
    expect(document.states).toBeGreaterThanOrEqual(40)
    expect(document.states).toBeLessThan(states)
    // Every case so far that leads to nothing new, and one for each step that would come next.
    expect(document.runs).toBeGreaterThan(document.steps - document.states)
    expect(document.runs).toBeLessThan(steps)
  })

  // S-391
  test('given an interrupt before the last cases are judged, is not complete', async () => {
    let rounds = 0
    const counting: Spread = (work) => {
      rounds++
      return overCores(work)
    }
    const whole = await run([adaptive], null, { spread: counting })
    const interrupt = new AbortController()
    // The last round has nothing left to do.
    let before = rounds - 1
    const interrupted: Spread = (work) => {
      if (--before === 0) interrupt.abort()
      return overCores(work)
    }
    const { signal } = interrupt
    const { code, document } = await run([adaptive], null, { signal, spread: interrupted })
    const { states, steps, runs } = whole.document
    expect({ code, document }).toMatchObject({
      code: 130,
      document: { states, steps, isComplete: false },
    })
    expect(document.runs).toBeLessThan(runs)
    expect(whole.document.isComplete).toBe(true)
  })

  // E-271, E-272, E-275
  test.each([
    'released-in-name-only',
    'merges-do-not-name-the-quarantine',
    'merges-by-quarantine-not-counted',
  ])('given a test in quarantine and the defect %s, the search finds it', async (planted) => {
    const scope = { ...two, disturbances: 2, hasQuarantine: true } as const
    expect((await search(scope, defectNamed(planted))).first).not.toBeNull()
    expect(wholeScopes.filter(({ hasQuarantine }) => hasQuarantine).length).toBeGreaterThan(10)
  })

  test('the whole scope has five pull requests under both policies', () => {
    const five = wholeScopes.filter(({ pullRequests }) => pullRequests === 5)
    expect(new Set(five.map(({ queue }) => queue.policy ?? 'documented'))).toEqual(
      new Set(['documented', 'adaptive']),
    )
  })
})

// S-381
describe('planted defects', () => {
  const small = scopesOf([2, 1])
  const settingOf = (scope: Scope): string => titleOf(scope).split(', ').slice(2).join(', ')
  const isFoundIn = async (scope: Scope, defect: Defect): Promise<boolean> =>
    (await search(scope, defect)).first !== null

  /** The defects of which this setting is the first that shows them. */
  const file = 'sim/defects/first-settings.json'
  const shown: Record<string, string[]> = JSON.parse(readFileSync(file, 'utf8'))

  // To write the table anew: WRITE_TABLES=1 npx vitest run dist/bench/cli/sim/exhaustive
  test.runIf(process.env['WRITE_TABLES'])('are searched with every setting', async () => {
    const found: typeof shown = {}
    for (const defect of defects) {
      for (const scope of small) {
        if (!(await isFoundIn(scope, defect))) continue
        found[settingOf(scope)] = [...(found[settingOf(scope)] ?? []), defect.name]
        break
      }
    }
    expect(found).not.toEqual({})
    writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
  })

  for (const [setting, names] of Object.entries(shown)) {
    for (const [index, name] of names.entries()) {
      test(`${name} is found: ${setting}`, index === 0 ? {} : matrix, async () => {
        const scope = small.find((each) => settingOf(each) === setting)
        expect(scope && (await isFoundIn(scope, defectNamed(name)))).toBe(true)
      })
    }
  }
})
