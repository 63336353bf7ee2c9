import { describe, expect, test } from 'vitest'
import { record, reportOf, broken, eventful, hasty, hostile, sparse } from './testing/reports.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { loadScenario } from '../scenario/load.ts'
import { stacksIn } from './run-report.ts'

/** The visible part of the page, without style and scripts. */
const bodyOf = (page: string): string =>
  page.slice(page.indexOf('<body>')).replace(/<script[^]*?<\/script>/g, '')

const pages = new Map<Scenario, Promise<string>>()

/** The report of a scenario of this file, made once. */
function pageOf(scenario: Scenario): Promise<string> {
  const known = pages.get(scenario) ?? reportOf(scenario)
  pages.set(scenario, known)
  return known
}

describe('the report of a run', () => {
  test('shows the verdict and the figures first, then the timeline, then the charts', async () => {
    const page = bodyOf(await pageOf(eventful))
    const order = [
      'Holds',
      'healthy PRs evicted',
      'id="timeline"',
      'id="pictures"',
      'id="properties"',
    ]
    const positions = order.map((text) => page.indexOf(text))
    expect(positions).not.toContain(-1)
    expect(positions).toEqual([...positions].sort((a, b) => a - b))
    for (const title of [
      'Depth of the queue',
      'Time in queue',
      'Where the CI minutes went',
      'Flakes by test',
      'Unproven merges',
    ]) {
      expect(page).toContain(`<h3>${title}</h3>`)
    }
    expect(page.match(/<svg class="[^"]*" viewBox="[^"]*" role="img"/g)).toHaveLength(15)
  })

  test('has a row for each pull request, with the reason for each step', async () => {
    const page = bodyOf(await pageOf(eventful))
    expect(page.match(/id="pr-\d+"/g)).toHaveLength(60)
    expect(page).toMatch(/<a href="#run-\d+">run \d+<\/a> tests it together with/)
    expect(page).toMatch(/<li id="run-1">run 1 \w+/)
    expect(page).toContain('RUNNING became PAUSED')
    expect(page).toContain('a push from outside the queue changed the branch')
  })

  test('has a legend of what the timeline draws, and of nothing else', async () => {
    const legendOf = async (scenario: Scenario): Promise<string> => {
      const [, keys = ''] = /<div class="keys">([^]*?)<\/div>/.exec(await pageOf(scenario)) ?? []
      return keys
        .replace(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()
    }
    const one = { name: 'one', queue: { concurrency: 1 }, pullRequests: [{ number: 1 }] }
    expect(await legendOf(one)).toBe('test runs: passed pull requests: under test lines: merged')
    const all = await legendOf(eventful)
    for (const word of ['lost or timed out', 'in a bisection', 'the queue changed', 'cancelled'])
      expect(all).toContain(word)
    expect(all).not.toContain('a property broke')
  })

  // S-210
  test('shows arrivals by weekday and hour where the scenario says when it started', async () => {
    const title = '<h3>Arrivals by weekday and hour</h3>'
    expect(await pageOf(sparse)).not.toContain(title)
    const page = await reportOf({ ...sparse, startsAt: '2026-03-02T09:30Z' })
    expect(page).toContain(title)
    expect(page).toContain('First submissions from Mon 2026-03-02 to Mon 2026-05-04, hours in UTC')
    // Each Monday one, and all six of the busy day in one hour.
    expect(page).toContain('<h4>Mon 09:00 to 10:00: 10 pull requests</h4>')
    expect(page).toContain('<h4>Mon 00:00 to 01:00: 6 pull requests</h4>')
  })

  // S-211
  test('lists the pull requests of each bar, as many as the result has', async () => {
    const { result, ...recorded } = record(eventful)
    const page = bodyOf(await pageOf(eventful))
    const listedIn = (title: string): number[] => {
      const [, card = ''] = page.split(`<h3>${title}</h3>`)
      const [, list = ''] = /<details class="bars">([^]*?)<\/details>/.exec(card) ?? []
      return [...list.matchAll(/href="#pr-(\d+)"/g)].map(([, number]) => Number(number))
    }
    const all = result.lists.pullRequests
    const numbersIn = (wanted: typeof all): number[] => wanted.map(({ number }) => number)
    const sorted = (numbers: number[]): number[] => numbers.sort((a, b) => a - b)
    const merged = numbersIn(all.filter(({ state }) => state === 'MERGED'))
    expect(sorted(listedIn('Time in queue'))).toEqual(sorted(merged))
    expect(sorted(listedIn('Conclusions over time'))).toEqual(sorted(numbersIn(all)))
    const unproven = recorded.recording.stories.filter(({ remarks }) => remarks.has('unproven'))
    expect(sorted(listedIn('Unproven merges'))).toEqual(
      sorted(unproven.map(({ number }) => number)),
    )
    expect(unproven.length).toBeGreaterThan(0)
    for (const title of ['Batches that pass, by size', 'Where the CI minutes went'])
      expect(new Set(listedIn(title))).toEqual(new Set(numbersIn(all)))
    // Not called cancelled: of the waste above, these are what was restarted as well.
    expect(page).toMatch(/<h4>ended early: \d+ runs, /)
  })

  test('lists what an import assumed, and nothing where nothing was', async () => {
    const page = bodyOf(await pageOf(sparse))
    const section = page.slice(page.indexOf('id="assumed"'), page.indexOf('id="properties"'))
    for (const text of ['concurrency', '2 runs at a time', '--set &lt;n&gt;'])
      expect(section).toContain(text)
    expect(bodyOf(await pageOf(eventful))).not.toContain('id="assumed"')
  })

  // S-255
  test('lists what an import measured, and nothing where nothing was', async () => {
    const measured = [{ what: 'flakes', value: '3 runs', samples: '40 submissions' }]
    const page = bodyOf(await reportOf({ ...sparse, measured }))
    const section = page.slice(page.indexOf('id="measured"'), page.indexOf('id="assumed"'))
    for (const text of ['flakes', '3 runs', '40 submissions']) expect(section).toContain(text)
    expect(bodyOf(await pageOf(sparse))).not.toContain('id="measured"')
  })

  test('loads nothing and links to no other page', async () => {
    const page = await pageOf(eventful)
    expect(page.match(/(?:src|href)="(?!#|data:,")[^>]*/)).toBeNull()
    expect(page.match(/\burl\((?!#).*|@import|https?:.*/)).toBeNull()
  })

  test('escapes every text from outside', async () => {
    const page = await reportOf({
      ...eventful,
      name: hostile.slice(0, 80),
      description: hostile,
      suiteFlakes: { tests: [{ name: hostile, rate: 0.5 }] },
      mustFail: hostile,
    })
    expect(page.match(/<img|<script>alert/)).toBeNull()
    expect(page.includes('\u0000')).toBe(false)
    expect(page.match(/<script/g)).toEqual(['<script', '<script'])
    expect(page).toContain('&lt;img src=x onerror=alert(2)&gt;')
  })

  test('is a page even if nothing happens in the run', async () => {
    const page = bodyOf(await reportOf({ name: 'empty' }))
    expect(page).toContain('No pull request merged.')
    expect(page).toContain('There were no test runs.')
  })
})

describe('a violation', () => {
  test('is shown first, and marked in the timeline at its time', async () => {
    const page = bodyOf(await reportOf(broken, { parts: hasty }))
    expect(page.indexOf('Does not hold')).toBeLessThan(page.indexOf('id="timeline"'))
    expect(page).toContain('<a href="#violation">')
    expect(page).toMatch(/data-open-from="[\d.]+"\s+data-open-to="[\d.]+"/)
    const row = page.slice(page.indexOf('id="pr-140"'), page.indexOf('id="pr-141"'))
    expect(row).toMatch(/<li class="broken" id="violation">.*BROKEN/)
  })

  test('that the scenario expects lets the run hold, and is still shown', async () => {
    const alone = { ...broken, expect: { merged: { min: 999 } }, mustFail: 'merged' }
    const page = bodyOf(await reportOf(alone))
    expect(page).toContain('“merged” must fail here, and it does')
  })
})

describe('a run of many', () => {
  const numbersShown = (recorded: ReturnType<typeof record>): number[] =>
    recorded.recording.stories.map(({ number }) => number)

  test('shows the pull requests around the first violation, and the command for all others', async () => {
    const numbers = numbersShown(record(broken, { parts: hasty, mostStories: 20 }))
    expect(numbers).toHaveLength(20)
    expect(numbers).toContain(140)
    expect(numbers[0]).toBeGreaterThan(120)
    const page = bodyOf(await reportOf(broken, { parts: hasty, mostStories: 20 }))
    expect(page).toContain('20 of 200 pull requests: those around the first violation')
    expect(page).toMatch(/npm run sim -- broken.json --seed 1 --why \d+/)
    expect(page).toContain('id="violation"')
  })

  test('that holds shows the pull requests around the time at which the queue was longest', async () => {
    const rush = {
      ...broken,
      pullRequests: (broken.pullRequests ?? []).map((entry) =>
        entry.number > 60 && entry.number <= 80 ? { ...entry, at: 360 } : entry,
      ),
    }
    const recorded = record(rush, { mostStories: 20 })
    const numbers = numbersShown(recorded)
    expect(recorded.recording.depth.deepest?.at).toBe(360 * 60_000)
    expect(numbers).toContain(65)
    expect(numbers).not.toContain(1)
    expect(numbers).not.toContain(200)
    const page = bodyOf(await reportOf(rush, { mostStories: 20 }))
    expect(page).toContain('those around the time at which the queue was longest')
  })

  test('that shows everybody says so, also if one came again after its merge', async () => {
    const page = bodyOf(
      await reportOf({
        name: 'again',
        suite: { minutes: 10 },
        pullRequests: [{ number: 1 }, { number: 2 }],
        events: [{ at: 20, do: 'submit', number: 1 }],
        expect: { mergeOrder: [1, 2, 1] },
      }),
    )
    expect(page).toContain('2 pull requests. Expand a row')
    expect(page).not.toContain('For any other pull request')
  })
})

/** The rows of the section as texts. */
async function drawn(path: string): Promise<string[]> {
  const page = await reportOf(loadScenario(path))
  const [, list = ''] = /<ul class="stacks">([^]*?)<\/ul>/.exec(page) ?? []
  return list.split('</ol>').map((each) =>
    each
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
}

// S-304
test('the report draws each stack from below, those that did not merge whole first', async () => {
  expect(await drawn('scenarios/a-stack-lands-in-order.json')).toEqual([
    '#3 failed #4 cancelled #5 cancelled',
    '#1 merged #2 merged',
    '',
  ])
  expect(await reportOf(sparse)).not.toContain('id="stacks"')
  const pullRequests = Array.from({ length: 8 }, (_, index) =>
    index % 2 === 1 ? { number: index + 1, dependsOn: [index] } : { number: index + 1 },
  )
  const many: Scenario = { name: 'many', pullRequests }
  expect(await reportOf(many)).toContain('<p class="soft">4 stacks, 4 merged whole.')
  expect(await reportOf(many, { mostStories: 4 })).toContain(
    '1 stack of pull requests in the timeline, 1 merged whole.',
  )
})

// S-304
test('what joins two stacks makes one of them, and two that name each other end no report', () => {
  const story = (number: number, ...dependsOn: readonly number[]) =>
    ({ number, dependsOn, end: 'MERGED' }) as const
  const numbers = (...stories: readonly ReturnType<typeof story>[]) =>
    stacksIn(stories).map((stack) => stack.map((each) => each.number))
  expect(numbers(story(5, 2, 4), story(1), story(2, 1), story(4, 3), story(3), story(6))).toEqual([
    [1, 2, 3, 4, 5],
  ])
  expect(numbers(story(1, 2), story(2, 1), story(3, 99))).toEqual([[2, 1]])
})
