/** A person who presses whatever can be pressed on the live page, by the draws of a seed. */

import type { ElementHandle, Page, Request } from 'playwright-core'
import { sequenceOf } from '../../../sim/random/draw.ts'
import { type Client, main } from '../../../server/testing/client.ts'
import type * as wire from '../../../server/contract/wire.ts'
import { admin } from '../../../server/testing/test-server.ts'

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
    // A long table shows its first rows, and a button says how many more there are.
    const waiting = rows.length + Number((textOf('.waiting .rest') ?? '').replace(/\\D/g, ''))
    const listed = all('.group [data-row], .waiting tbody [data-row]').map(({ dataset }) => dataset.row)
    const runs = all('.group .run').length
    const searching = all('.step[data-outcome=""]').length
    same('listed twice', listed.filter((each, index) => listed.indexOf(each) !== index).join(), '')
    const suspects = all('.search .members > li')
      .filter((each) => !each.querySelector('.is-failed, .is-merged, .is-cancelled'))
      .map((each) => each.querySelector('[data-row]').dataset.row).filter((each) => !listed.includes(each))
    const shown = { testing: members('testing'), passed: members('passed'), held: members('held') + members('conflicted'),
      waiting: members('waiting') + waiting - figure('not ready') }
    const sum = (counts) => counts.reduce((so, each) => so + each, 0)
    const inAll = sum(Object.keys(shown).map(figure))
    same('all figures, and all that are shown', inAll, sum(Object.values(shown)) + suspects.length)
    for (const [name, count] of Object.entries(shown))
      same(name + ', and the cards', figure(name) - count < 0 || figure(name) - count > suspects.length, false)
    same('the title of those that wait, and the rows', Number(textOf('.waiting .count')), waiting)
    same('slots, and runs in progress', figure('slots used'), runs)
    same('runs of bisections, and the trees', figure('run of bisection') + figure('runs of bisection'), searching)
    same('bisections', figure('bisection'), all('.search').length)
    same('nothing is tested', textOf('.line .lead') === 'Nothing is being tested.',
      all('.group').length + searching === 0)
    same('the queue is empty', textOf('.answer .next') === 'The queue is empty.',
      listed.length + suspects.length === 0)
    const ended = all('.ended [data-ended]').map(({ dataset }) => dataset.ended)
    same('has left, and is in the queue', ended.filter((each) => listed.includes(each)).join(), '')
    const cards = all('.group')
    const cardOf = new Map(cards.flatMap((each, index) => all('.member [data-row]', each).map(({ dataset }) =>
      [dataset.row, each.matches('.is-conflicted') ? Infinity : index])))
    for (const [index, card] of cards.entries())
      for (const [words, below] of card.innerText.matchAll(/(?:on top of|merges after) #(\\d+)/g))
        same(words + ' in card ' + index + ', and stands there', cardOf.get(below) < index, true)
    const stateIn = (list) => new Map(all('.' + list + ' [data-number]:not(.has-left)').map((each) =>
      [each.dataset.number, each.querySelector('.cell-state').innerText.replace(/ [^ ]+ (s|min)$/, '')]))
    for (const [number, state] of stateIn('yours'))
      same('#' + number + ' in two tables', state, stateIn('waiting').get(number) ?? state)
    const places = rows.map((each) => Number.parseInt(textOf('[data-number="' + each.dataset.number + '"] .cell-place'), 10))
    same('places', places.filter((each) => !Number.isNaN(each)).some((each, index, known) => index > 0 && each !== known[index - 1] + 1), false)
  }
  const state = document.querySelector('.now[data-state]')
  if (state) {
    const { state: name } = state.dataset
    const going = all('.runs tbody tr').filter((each) => each.querySelector('.is-testing'))
    if (!document.querySelector('.now .is-bisecting'))
      same('being tested, and no run in progress', name === 'TESTING' && going.length === 0, false)
    // One that has left its bisection may be in a run of it that goes on for the others.
    same('a run in progress, and not tested', name !== 'TESTING' && going.some((each) => !each.querySelector('.flag')), false)
    const started = all('.steps li').filter((each) => each.textContent.includes('Its tests start'))
    same('tests that start, and their runs', started.length, started.filter((each) => each.querySelector('a')).length)
    same('merged, and a button to submit again', name === 'MERGED' && textOf('.summary .buttons').includes('Submit'), false)
    const last = all('.steps li').at(-1)?.innerText ?? ''
    for (const [end, words] of [['MERGED', 'Merged'], ['FAILED', 'Failed'], ['CANCELLED', 'Cancelled']])
      same(end + ', and the last thing that happened', name === end, last.includes(words))
  }
  for (const each of all('.queues a')) {
    const isNobodyNext = each.innerText.includes('nobody lands next')
    same('in the line, and nobody lands next', isNobodyNext && !/\\b0 in the line/.test(each.innerText), false)
  }
  return faults
})()`

/** What is asked for apart, so it comes a moment later. */
const laterContradictions = `(() => {
  const isEmpty = document.querySelector('.trends')?.textContent.includes('Nothing has merged or failed') === true
  return isEmpty && document.querySelector('.ended :is(.is-merged, .is-failed)') ? ['who has merged or failed is listed, and the trends say nobody'] : []
})()`

/** Who is in the queue, who has left it and how, and which command the page shows. */
const shownNow = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)]
  const { state = '' } = document.querySelector('.now[data-state]')?.dataset ?? {}
  const ofPage = state === '' ? [] : [[Number(document.querySelector('.summary .number').textContent.slice(1)), state]]
  const left = ([, each]) => ['MERGED', 'FAILED', 'CANCELLED'].includes(each)
  const inQueue = all('.group [data-row], .waiting tbody tr:not(.has-left) [data-row], .yours tbody [data-row]')
  return {
    sequence: Number(document.querySelector('main').dataset.sequence ?? 0),
    inQueue: [...inQueue.map(({ dataset }) => Number(dataset.row)), ...ofPage.filter((each) => !left(each)).map(([number]) => number)],
    left: [...all('.ended [data-ended]').map((each) => [Number(each.dataset.ended), each.className.slice(3).toUpperCase()]), ...ofPage.filter(left)],
  }
})()`

type Shown = {
  readonly sequence: number
  readonly inQueue: readonly number[]
  readonly left: readonly (readonly [number: number, state: string])[]
}

/** What contradicts what the page has shown before. Who has left stays out, unless the dialog submitted it. */
class Before {
  readonly #left = new Map<number, string>()
  /** Its page may show for a moment how it left before, also after the dialog has closed. */
  readonly #byDialog = new Set<number>()
  #sequence = 0

  submittedByDialog(number: number): void {
    this.#byDialog.add(number)
  }

  faultsOf({ sequence, inQueue, left }: Shown): string[] {
    const faults = inQueue.flatMap((number) => {
      const state = this.#byDialog.has(number) ? undefined : this.#left.get(number)
      return state === undefined ? [] : [`#${number} was ${state}, and is in the queue`]
    })
    for (const [number, state] of left) {
      const before = this.#left.get(number) ?? state
      if (before !== state && !this.#byDialog.has(number))
        faults.push(`#${number} was ${before}, and is ${state}`)
      this.#left.set(number, state)
    }
    if (sequence > 0 && sequence < this.#sequence) faults.push(`it went back to ${sequence}`)
    this.#sequence = Math.max(this.#sequence, sequence)
    return faults
  }
}

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
  `button:not([aria-disabled=true]):not(.spans [aria-pressed=true]), summary, :is(a[href^="/q/"], a[href="/"]):not([href="${path}"])`

/** The browser says it of each refusal, which the page says in a sentence, and of a stream that ends with the session. */
const isOfBrowser = (message: string): boolean =>
  /Failed to load resource: (net::|the server responded with a status of 4)/.test(message)

const pathOf = (page: Page): string => new URL(page.url()).pathname

/** The stream may come a moment later. */
const mostFrames = 500
/** A change that looks the same, as a second submission does, sends nothing. */
const settledFrames = 60

const targets = ['basket', 'checkout', 'search', 'tools']

/** False: the stream has taken it off the page, or disabled it because its pull request has left. */
async function isClicked(target: ElementHandle): Promise<boolean> {
  try {
    await target.click()
    return true
  } catch (error) {
    const isDisabled = (await target.getAttribute('aria-disabled')) === 'true'
    if (!isDisabled && (await target.evaluate<boolean, Node>((each) => each.isConnected)))
      throw error
    return false
  }
}

export class Walk {
  readonly pressed: string[] = []
  readonly #page: Page
  readonly #client: Client
  readonly #draw: () => number
  readonly #noise: string[] = []
  readonly #before = new Before()
  readonly #done: string[]
  /** Requests that the server has not answered, without the stream. */
  readonly #asked = new Set<Request>()
  /** The addresses to which the way back leads. */
  readonly #way: string[] = []
  readonly #changedAt: (path: string) => number
  #next = 1

  /** `changedAt`: the sequence of the last change of the queue with that address. */
  constructor(
    page: Page,
    {
      client,
      changedAt,
    }: { readonly client: Client; readonly changedAt: (path: string) => number },
    seed: number,
  ) {
    this.#page = page
    this.#client = client
    this.#changedAt = changedAt
    this.#draw = sequenceOf(seed, 'walk')
    this.#done = [`seed ${seed}`]
    page.on('pageerror', ({ message }) => this.#noise.push(`an error of the page: ${message}`))
    page.on('request', (asked) => {
      if (!asked.url().includes('/page/stream')) this.#asked.add(asked)
    })
    page.on('requestfinished', (asked) => this.#asked.delete(asked))
    page.on('requestfailed', (asked) => this.#asked.delete(asked))
    page.on('console', (said) => this.#noise.push(`the console: ${said.text()}`))
  }

  /** Goes on by one step. Returns what is wrong then, with the last steps; nothing if all is well. */
  async step(): Promise<string[]> {
    const number = this.#draw()
    const faults: string[] = []
    if (number < 0.2) await this.#submit()
    else if (number < 0.4) await this.#report()
    else if (number < 0.44) faults.push(...(await this.#goBack()))
    else if (number < 0.46) await this.#reload()
    else faults.push(...(await this.#press()))
    // A table under the pointer, or with the focus in it, holds still.
    await this.#page.mouse.move(0, 0)
    await this.#page.evaluate('document.querySelector("dialog") ?? document.activeElement?.blur()')
    await this.#settles()
    // A queue is drawn from one state, so it agrees at each instant; a page that is asked for comes a moment later.
    const isAsked = !(await this.#page.locator('.answer').isVisible())
    if (isAsked) await this.#happens(`${contradictions}.length === 0`)
    faults.push(...(await this.#page.evaluate<string[]>(contradictions)))
    await this.#happens(`${laterContradictions}.length === 0`)
    faults.push(...(await this.#page.evaluate<string[]>(laterContradictions)))
    faults.push(...this.#before.faultsOf(await this.#page.evaluate<Shown>(shownNow)))
    faults.push(...this.#noise.filter((each) => !isOfBrowser(each)))
    return faults.length === 0 ? [] : [...this.#done.slice(-12), ...faults]
  }

  /** Waits until the page shows the last change and no answer is missing, so that what can be pressed depends on the draws. */
  async #settles(): Promise<void> {
    const shown = 'Number(document.querySelector("main")?.dataset.sequence ?? Infinity)'
    do {
      await this.#page.evaluate('new Promise(requestAnimationFrame)')
      await this.#happens(`${shown} >= ${this.#changedAt(pathOf(this.#page))}`, settledFrames)
    } while (this.#asked.size > 0)
  }

  /** Returns false if it is still not true after so many frames in which the page has waited for no answer. */
  async #happens(what: string, most = mostFrames): Promise<boolean> {
    for (let frame = 0; frame < most;) {
      if (await this.#page.evaluate<boolean>(what)) return true
      await this.#page.evaluate('new Promise(requestAnimationFrame)')
      if (this.#asked.size === 0) frame++
    }
    return false
  }

  async #submit(): Promise<void> {
    const number = this.#next++
    this.#done.push(`submitted #${number}`)
    const impactedTargets = targets.filter(() => this.#draw() < 0.4)
    const asked = { ...main, pr: { number }, impactedTargets }
    await this.#client.ok('submitPullRequest', asked)
  }

  async #report(): Promise<void> {
    const found = await this.#client.ok<wire.TestRuns>('getMergeQueueTestingDetails', main)
    const run = this.#one(found.testRuns)
    if (!run) return
    const { testRunId } = run
    const drawn = this.#draw()
    if (drawn > 0.9) return this.#conflict(run)
    const outcome = drawn < 0.6 ? 'passed' : drawn < 0.87 ? 'failed' : 'errored'
    this.#done.push(`reported that ${testRunId.slice(-4)} ${outcome}`)
    await this.#client.ok('reportTestRun', { testRunId, outcome })
  }

  async #reload(): Promise<void> {
    this.#done.push('loaded again')
    await this.#page.reload()
    await this.#page.locator('h1').first().waitFor({ state: 'attached' })
  }

  /** One of those tested changes the same line as one below it, or as the branch. */
  async #conflict({ testRunId, testedPullRequests, dependentPrs }: wire.TestRun): Promise<void> {
    const number = this.#one(testedPullRequests)?.prNumber
    const conflictsWith = this.#one(dependentPrs) ?? null
    this.#done.push(`reported that #${number} conflicts with ${conflictsWith ?? 'the branch'}`)
    const asked = { ...main, testRunId, pr: { number }, conflictsWith }
    await this.#client.ok('reportUnbuildable', asked)
  }

  /** Back leads to where the reader was. */
  async #goBack(): Promise<string[]> {
    const path = this.#way.pop()
    if (path === undefined) return []
    this.#done.push(`went back to ${path}`)
    await this.#page.goBack()
    const there = pathOf(this.#page)
    return there === path ? [] : [`back leads to ${there}`]
  }

  async #press(): Promise<string[]> {
    const page = this.#page
    const from = pathOf(page)
    const signIn = page.locator('.sign-in input[type=password]')
    if (await signIn.isVisible()) await signIn.fill(admin)
    const field = page
      .locator('dialog input:not([type=checkbox], [type=radio]), dialog select')
      .first()
    if (await field.isVisible()) await this.#fill(field)
    const within = (await page.locator('dialog').count()) > 0 ? page.locator('dialog') : page
    const target = this.#one(
      await within.locator(pressableAt(from)).filter({ visible: true }).elementHandles(),
    )
    if (!target) return []
    const name = (await target.getAttribute('aria-label')) ?? (await target.innerText())
    this.pressed.push(name.replaceAll(/\d+/g, 'n'))
    this.#done.push(`pressed ${name}`)
    await page.evaluate(`globalThis.before = ${stillPage}`)
    if (!(await isClicked(target))) return []
    const isAnswered = await this.#happens(
      `${stillPage} !== globalThis.before || ${sentences} !== ''`,
    )
    await page.getByText(/^(Sending|Signing in)…$/).waitFor({ state: 'detached' })
    if (pathOf(page) !== from) this.#way.push(from)
    const [, submitted] = /^Submit #(\d+)$/.exec(name) ?? []
    if (submitted !== undefined) this.#before.submittedByDialog(Number(submitted))
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
