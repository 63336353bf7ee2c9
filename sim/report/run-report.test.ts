import { describe, expect, test } from 'vitest'
import { record, reportOf } from './testing/reports.ts'
import { broken, hasty, hostile, storm } from './testing/scenarios.ts'

/** What stands in the page for people, without its style and script. */
const bodyOf = (page: string): string =>
  page.slice(page.indexOf('<body>')).replace(/<script[^]*?<\/script>/g, '')

describe('the report of a run', () => {
  test('tells the verdict and the figures first, then everybody, then the pictures', async () => {
    const page = bodyOf(await reportOf(storm))
    const order = [
      'Holds',
      'healthy ones evicted',
      'id="timeline"',
      'id="pictures"',
      'id="properties"',
    ]
    const places = order.map((text) => page.indexOf(text))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    for (const title of [
      'Depth of the queue',
      'Time in queue',
      'Where the CI minutes went',
      'Flakes by test',
      'Merged unproven',
    ]) {
      expect(page).toContain(`<h3>${title}</h3>`)
    }
    expect(page.match(/<svg class="[^"]*" viewBox="[^"]*" role="img"/g)).toHaveLength(9)
  })

  test('has a row for each pull request, each with the reason for each step', async () => {
    const page = bodyOf(await reportOf(storm))
    expect(page.match(/id="pr-\d+"/g)).toHaveLength(60)
    expect(page).toMatch(/<a href="#run-\d+">run \d+<\/a> tests it together with/)
    expect(page).toMatch(/<li id="run-1">run 1 \w+/)
    expect(page).toContain('RUNNING became PAUSED')
    expect(page).toContain('somebody pushed to the branch')
  })

  test('is the same file for the same scenario and seed', async () => {
    expect((await reportOf(storm)) === (await reportOf(storm))).toBe(true)
  })

  test('fetches nothing and names no other place', async () => {
    const page = await reportOf(storm)
    expect(page.match(/(?:src|href)="(?!#|data:,")[^>]*/)).toBeNull()
    expect(page.match(/\burl\((?!#).*|@import|https?:.*/)).toBeNull()
  })

  test('escapes every text from outside', async () => {
    const page = await reportOf({
      ...storm,
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

  test('of a run in which nothing happens is still a page', async () => {
    const page = bodyOf(await reportOf({ name: 'empty' }))
    expect(page).toContain('Nobody merged.')
    expect(page).toContain('There were no test runs.')
  })
})

describe('a violation', () => {
  test('is told first, and marked in the timeline where it happened', async () => {
    const page = bodyOf(await reportOf(broken, { parts: hasty }))
    expect(page.indexOf('Does not hold')).toBeLessThan(page.indexOf('id="timeline"'))
    expect(page).toContain('<a href="#violation">')
    expect(page).toMatch(/data-open-from="[\d.]+"\s+data-open-to="[\d.]+"/)
    const row = page.slice(page.indexOf('id="pr-140"'), page.indexOf('id="pr-141"'))
    expect(row).toMatch(/<li class="broken" id="violation">.*BROKEN/)
  })

  test('that must happen makes the run hold, and is shown all the same', async () => {
    const alone = { ...broken, expect: { merged: { min: 999 } }, mustFail: 'merged' }
    const page = bodyOf(await reportOf(alone))
    expect(page).toContain('“merged” must fail here, and does')
  })
})

describe('a run of many', () => {
  const numbersTold = (recorded: ReturnType<typeof record>): number[] =>
    recorded.recording.stories.map(({ number }) => number)

  test('tells of those around the first violation, and says how to ask for the others', async () => {
    const numbers = numbersTold(record(broken, { parts: hasty, mostStories: 20 }))
    expect(numbers).toHaveLength(20)
    expect(numbers).toContain(140)
    expect(numbers[0]).toBeGreaterThan(120)
    const page = bodyOf(await reportOf(broken, { parts: hasty, mostStories: 20 }))
    expect(page).toContain('20 of 200 pull requests: those around the first violation')
    expect(page).toMatch(/npm run sim -- broken.json --seed 1 --why \d+/)
    expect(page).toContain('id="violation"')
  })

  test('that holds tells of those around the instant at which the queue was deepest', async () => {
    const rush = {
      ...broken,
      pullRequests: (broken.pullRequests ?? []).map((entry) =>
        entry.number > 60 && entry.number <= 80 ? { ...entry, at: 360 } : entry,
      ),
    }
    const recorded = record(rush, { mostStories: 20 })
    const numbers = numbersTold(recorded)
    expect(recorded.recording.depth.deepest?.at).toBe(360 * 60_000)
    expect(numbers).toContain(65)
    expect(numbers).not.toContain(1)
    expect(numbers).not.toContain(200)
    const page = bodyOf(await reportOf(rush, { mostStories: 20 }))
    expect(page).toContain('those around the instant at which the queue was deepest')
  })
})
