/** A person who presses whatever can be pressed on the live page, by the draws of a seed. */

import type { Page } from 'playwright-core'
import { sequenceOf } from '../../../sim/random/draw.ts'
import { type Client, main } from '../../../server/testing/client.ts'
import type * as wire from '../../../server/contract/wire.ts'
import { childToken } from '../../cli/start/testing/child-server.ts'

/** What contradicts on the page, in sentences. All is read in one turn of the page. */
const contradictions = `(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)]
  const faults = []
  const same = (what, one, other) => {
    if (one !== other) faults.push(what + ': ' + one + ' and ' + other)
  }
  const textOf = (selector) => document.querySelector(selector)?.textContent ?? null
  const figure = (name) =>
    Number((textOf('[data-figure="' + name + '"] dd') ?? '0').replace(/,/g, '').replace(/ of .*/, ''))
  if (document.querySelector('.answer')) {
    const members = (look) => all('.group.is-' + look).flatMap((each) => all('.member', each)).length
    const rows = all('.waiting tbody tr:not(.has-left)')
    const listed = all('.group [data-row], .waiting tbody [data-row]').map(({ dataset }) => dataset.row)
    const runs = all('.group .run').length
    const searching = all('.step[data-outcome=""]').length
    same('listed twice', listed.filter((each, index) => listed.indexOf(each) !== index).join(), '')
    const suspects = all('.search .members > li')
      .filter((each) => !each.querySelector('.is-failed, .is-merged, .is-cancelled'))
      .map((each) => each.querySelector('[data-row]').dataset.row).filter((each) => !listed.includes(each))
    const cards = { testing: members('testing'), passed: members('passed'), held: members('held') + members('conflicted'),
      waiting: members('waiting') + rows.length - figure('not ready') }
    const sum = (counts) => counts.reduce((so, each) => so + each, 0)
    const inAll = sum(Object.keys(cards).map(figure))
    same('all figures, and all that are shown', inAll, sum(Object.values(cards)) + suspects.length)
    for (const [name, count] of Object.entries(cards))
      same(name + ', and the cards', figure(name) - count < 0 || figure(name) - count > suspects.length, false)
    same('the title of those that wait, and the rows', Number(textOf('.waiting .count')), rows.length)
    same('slots, and runs in progress', figure('slots used'), runs)
    same('runs of bisections, and the trees', figure('run of bisection') + figure('runs of bisection'), searching)
    same('bisections', figure('bisection'), all('.search').length)
    same('nothing is tested', textOf('.line .lead') === 'Nothing is being tested.',
      all('.group').length + searching === 0)
    same('the queue is empty', textOf('.answer .next') === 'The queue is empty.',
      listed.length + suspects.length === 0)
    const ended = all('.ended [data-ended]').map(({ dataset }) => dataset.ended)
    same('has left, and is in the queue', ended.filter((each) => listed.includes(each)).join(), '')
    const places = rows.map((each) => Number.parseInt(textOf('[data-number="' + each.dataset.number + '"] .cell-place'), 10))
    same('places', places.filter((each) => !Number.isNaN(each)).some((each, index, known) => index > 0 && each !== known[index - 1] + 1), false)
  }
  const state = document.querySelector('.now[data-state]')
  if (state) {
    const { state: name } = state.dataset
    const verdicts = all('.runs tbody tr').filter((each) => each.querySelector('.is-testing')).length
    same('being tested, and a run in progress', name === 'TESTING', verdicts > 0)
    same('merged, and a button to submit again', name === 'MERGED' && textOf('.summary .buttons').includes('Submit'), false)
  }
  return faults
})()`

/** The page without what changes by itself: clocks, and bars of runs. */
const stillPage = `(() => {
  const copy = document.body.cloneNode(true)
  for (const each of copy.querySelectorAll('time, .run-bar, .run-words')) each.remove()
  const fields = [...document.querySelectorAll('input, select')].map((each) => each.value + each.checked)
  const open = [...document.querySelectorAll('details')].map((each) => each.open)
  return location.pathname + scrollY + copy.innerHTML + fields + open
})()`

/** What the browser says of a field that is not filled in, and the server of what it refuses, also for the second time. */
const sentences = `[
  ...[...document.querySelectorAll('dialog :invalid, .sign-in :invalid')].map((each) => each.validationMessage),
  ...[...document.querySelectorAll('[role=alert]')].map((each) => each.textContent),
].join('')`

/** What can be pressed at this path. A pressed button of a choice is chosen already. */
const pressableAt = (path: string): string =>
  `button:not([aria-disabled=true]):not(.spans [aria-pressed=true]), summary, a[href^="/q/"]:not([href="${path}"])`

/** The page may ask the server first. */
const mostFrames = 1_000

export class Walk {
  readonly pressed: string[] = []
  readonly #page: Page
  readonly #client: Client
  readonly #draw: () => number
  readonly #done: string[]
  #next = 1

  constructor(page: Page, client: Client, seed: number) {
    this.#page = page
    this.#client = client
    this.#draw = sequenceOf(seed, 'walk')
    this.#done = [`seed ${seed}`]
    page.on('pageerror', ({ message }) => this.#done.push(`an error of the page: ${message}`))
  }

  /** Goes on by one step. Returns what is wrong then, with the last steps; nothing if all is well. */
  async step(): Promise<string[]> {
    const number = this.#draw()
    const faults: string[] = []
    if (number < 0.2) await this.#submit()
    else if (number < 0.4) await this.#report()
    else faults.push(...(await this.#press()))
    // A table under the pointer, or with the focus in it, holds still.
    await this.#page.mouse.move(0, 0)
    await this.#page.evaluate('document.querySelector("dialog") ?? document.activeElement?.blur()')
    await this.#page.evaluate('new Promise(requestAnimationFrame)')
    // A queue is drawn from one state, so it agrees at each instant; a page that is asked for comes a moment later.
    const isAsked = !(await this.#page.locator('.answer').isVisible())
    if (isAsked) await this.#happens(`${contradictions}.length === 0`)
    faults.push(...(await this.#page.evaluate<string[]>(contradictions)))
    return faults.length === 0 ? [] : [...this.#done.slice(-12), ...faults]
  }

  /** Returns false if it is still not true after so many frames. */
  async #happens(what: string): Promise<boolean> {
    for (let frame = 0; frame < mostFrames; frame++) {
      if (await this.#page.evaluate<boolean>(what)) return true
      await this.#page.evaluate('new Promise(requestAnimationFrame)')
    }
    return false
  }

  async #submit(): Promise<void> {
    const number = this.#next++
    this.#done.push(`submitted #${number}`)
    await this.#client.ok('submitPullRequest', { ...main, pr: { number }, impactedTargets: [] })
  }

  async #report(): Promise<void> {
    const found = await this.#client.ok<wire.TestRuns>('getMergeQueueTestingDetails', main)
    const run = this.#one(found.testRuns)
    if (!run) return
    const outcome = this.#draw() < 0.65 ? 'passed' : 'failed'
    this.#done.push(`reported that ${run.testRunId.slice(-4)} ${outcome}`)
    await this.#client.ok('reportTestRun', { testRunId: run.testRunId, outcome })
  }

  async #press(): Promise<string[]> {
    const page = this.#page
    const signIn = page.locator('.sign-in input[type=password]')
    if (await signIn.isVisible()) await signIn.fill(childToken)
    const field = page
      .locator('dialog input:not([type=checkbox], [type=radio]), dialog select')
      .first()
    if (await field.isVisible()) await this.#fill(field)
    const within = (await page.locator('dialog').count()) > 0 ? page.locator('dialog') : page
    const target = this.#one(
      await within
        .locator(pressableAt(new URL(page.url()).pathname))
        .filter({ visible: true })
        .all(),
    )
    if (!target) return []
    const name = (await target.getAttribute('aria-label')) ?? (await target.innerText())
    this.pressed.push(name.replaceAll(/\d+/g, 'n'))
    this.#done.push(`pressed ${name}`)
    await page.evaluate(`globalThis.before = ${stillPage}`)
    await target.click()
    const isAnswered = await this.#happens(
      `${stillPage} !== globalThis.before || ${sentences} !== ''`,
    )
    await page.getByText(/^(Sending|Signing in)…$/).waitFor({ state: 'detached' })
    return isAnswered ? [] : ['nothing happened']
  }

  async #fill(field: ReturnType<Page['locator']>): Promise<void> {
    const isText = (await field.getAttribute('type')) !== 'number'
    const text = this.#one(
      isText ? ['3', '#4', 'words of a title', 'a-branch', ''] : ['1', '2', '4'],
    )
    if ((await field.evaluate((each) => each.tagName)) === 'INPUT') await field.fill(text ?? '')
  }

  #one<Each>(all: readonly Each[]): Each | undefined {
    return all[Math.floor(this.#draw() * all.length)]
  }
}
