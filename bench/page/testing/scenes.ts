/** Scenes of the live page: what a server says of a queue in a storm, in lanes, or with hostile texts. */

import type { RecordedCommand, RecordedSettings } from '../../../engine/index.ts'
import type { ManagedQueue } from '../../../server/queues/managed-queue.ts'
import type { Estimate } from '../../../server/page/frame.ts'
import { frameText } from '../../../server/page/channel.ts'
import { glanceOf, pictureOf } from '../../../server/page/picture.ts'
import { pullRequestPage, runPage } from '../../../server/page/pull-request-page.ts'
import { trendsOf } from '../../../server/page/trends.ts'
import type { Audience } from '../../../server/page/view.ts'
import { bareParts } from '../../../server/page/testing/page-client.ts'
import { aGlance, aWhole, type WholeFrame } from '../../../server/page/web/testing/frames.ts'
import { shop } from '../../../server/testing/client.ts'
import { DrivenQueue } from '../../../server/testing/driven-queue.ts'
import type { Scene } from './staged-server.ts'

/** The instant of all scenes, in minutes. */
const now = Date.parse('2026-03-18T14:02:00.000Z') / 60_000

const after = (minutes: number): string => new Date((now + minutes) * 60_000).toISOString()

const titles = [
  'Retry payments that the bank refused',
  'Show prices with tax',
  'Remove the old checkout',
  'Update the address form for phones, so that the keyboard fits the field',
  'Fix rounding',
  'Load fonts from our own server',
  'Cache the basket',
  'Translate the receipt',
]
const authors = ['dana', 'kim', 'Łukasz', 'renovate[bot]', 'o’neill']
const late = {
  name: 'checkout › pays twice when the bank answers late',
  file: 'test/checkout.test.ts',
}
const order = { name: 'basket › keeps its order', file: 'test/basket.test.ts' }
const broken = [{ name: 'prices › have tax' }, { name: 'receipt › adds up in each currency' }]

const numbers = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index)

/** A queue that people and a CI have used until now. */
class Shop extends DrivenQueue {
  constructor(set: RecordedSettings) {
    const batches = { batch: true, batchingMaxWaitTimeMinutes: 5 }
    super({ ...batches, pendingFailureDepth: 1, ...set }, { codeHost: 'answers' })
  }

  do(ago: number, command: RecordedCommand): void {
    this.at(now - ago, command, { by: { token: 'kim', request: '' } })
  }

  come(ago: number, all: readonly number[], more: object = {}): void {
    for (const number of all) {
      const title = titles[number % titles.length] ?? ''
      const author = authors[number % authors.length] ?? ''
      this.do(ago, { type: 'reportPullRequest', number, title, author })
      this.do(ago, { type: 'submitPullRequest', number, sha: 'a1b2c3d', ...more })
    }
  }

  /** The run that tests it ends. */
  finish(ago: number, number: number, outcome: 'passed' | 'failed', named: object = {}): void {
    const runs = Object.values(this.queue.engine.queue.testRuns)
    const { id = 0 } = runs.findLast(({ tested }) => tested.includes(number)) ?? {}
    const failed = outcome === 'failed' ? { failedTests: broken } : {}
    this.do(ago, { type: 'finishTestRun', testRun: id, outcome, ...failed, ...named })
  }

  land(ago: number, ...all: readonly number[]): void {
    for (const number of all) this.do(ago, { type: 'finishMerge', number, refused: null })
  }
}

/** A day in which most land and tests flake; then a bisection, an urgent one, a failure, and those that wait. */
function stormyShop(waiting: number): Shop {
  const told = new Shop({ batchingMinSize: 4, concurrency: 3 })
  const until = (now + 9_000) * 60_000
  told.do(1_500, { type: 'quarantineTest', test: order, who: 'kim', why: 'SHOP-77', until })
  for (const index of numbers(0, 44)) {
    const [ago, number] = [1_440 - 28 * index - Math.round(90 * Math.sin(index / 7)), 960 + index]
    told.come(ago, [number], { noBatch: true })
    if (index % 8 === 3) {
      told.finish(ago - 5, number, 'failed', { failedTests: [late] })
      told.come(ago - 6, [number], { noBatch: true })
    }
    // Only what is in quarantine fails, so it lands.
    if (index % 8 === 7) told.finish(ago - 13, number, 'failed', { failedTests: [order] })
    else told.finish(ago - 13, number, 'passed', { flakyTests: index % 8 === 5 ? [late] : [] })
    told.land(ago - 13, number)
  }
  const testCase = told.registry.testCases.idOf(shop, late)
  told.do(90, { type: 'linkTicket', repository: shop, testCase, ticket: 'SHOP-88' })
  told.come(80, [1036], { noBatch: true })
  told.finish(70, 1036, 'failed')
  told.come(62, [1024, 1029])
  told.do(57, { type: 'wake' })
  told.finish(50, 1029, 'failed')
  told.finish(47, 1024, 'passed')
  told.land(47, 1024)
  told.come(45, [1040, 1041, 1043, 1044])
  told.finish(33, 1044, 'failed')
  told.come(29, [1042], { priority: 0 })
  told.come(25, [1031, 1033])
  told.do(20, { type: 'wake' })
  told.finish(19, 1041, 'failed')
  told.come(18, [1046, 1047], { noBatch: true })
  told.finish(15, 1040, 'passed')
  told.come(13, [1036], { dependsOn: [1024] })
  told.come(13, [1037, 1038, 1039])
  told.come(9, [1028])
  told.finish(8, 1033, 'passed')
  told.do(5, { type: 'cancelPullRequest', number: 1028, reason: 'USER_REQUESTED' })
  told.finish(4, 1046, 'failed')
  told.come(2, numbers(1051, waiting))
  told.come(1, [1048], { dependsOn: [1036, 1049] })
  told.do(1, { type: 'reportPullRequest', number: 1050, mergeable: false })
  told.come(1, [1050])
  return told
}

/** The line first, then the others in their order, four minutes apart. */
function estimateOf(queue: ManagedQueue, number: number): Estimate | null {
  const { line, groups } = queue.engine.queue
  const inLine = line.flatMap((id) => groups[id]?.members ?? [])
  const all = [...inLine, ...[...queue.positions().inOrder()].map((each) => each.number)]
  const place = all.indexOf(number)
  const [median = '', from = '', to = ''] = [1, 0.7, 1.7].map((by) => after(by * (4 * place + 3)))
  const lands = number % 7 === 0 ? 0.7 : 1
  return place === -1 ? null : { kind: 'range', median, from, to, lands }
}

const signedIn = {
  signedIn: true,
  tokenName: 'dana’s laptop',
  scopes: ['admin'],
  publicPage: false,
}

export const nobody = { signedIn: false, tokenName: null, scopes: [], publicPage: false }

type StagedScene = Omit<Scene, 'frame'> & { readonly frame: WholeFrame }

/** What the server says of the queue, of one pull request in it, and of its last run. */
function sceneOf(told: Shop, number: number, log: string, audience: Audience): StagedScene {
  const { queue, registry } = told
  const parts = { ...bareParts(), estimateOf }
  const { sequence, testCases } = registry
  const moment = { sequence, now: after(0) }
  const frame: WholeFrame = JSON.parse(
    frameText(null, pictureOf(queue, parts, audience), moment) ?? '',
  )
  const run = runPage(queue, queue.engine.queue.last.testRun)
  return {
    me: signedIn,
    queues: [
      glanceOf(queue, parts, audience),
      aGlance({ id: 'other', name: 'docs', state: 'PAUSED' }),
    ],
    frame,
    trends: trendsOf(queue, { hours: 24, now: now * 60_000, audience, testCases }),
    pullRequest: pullRequestPage(queue, told.pull(number), { parts, audience }),
    run: run && { ...run, log, bytes: log.length, noLog: null },
    refusal: null,
  }
}

export function storm(waiting = 12, audience: Audience = 'member'): StagedScene {
  const log = `$ npm test\n\u001B[31mFAIL\u001B[0m ${late.name}\n`
  return sceneOf(stormyShop(waiting), 1036, log, audience)
}

export function empty(): Scene {
  const { trends, ...scene } = storm()
  const hours = trends.hours.map((hour) => ({
    ...hour,
    merged: 0,
    failed: 0,
    runsPassed: 0,
    runsFailed: 0,
  }))
  const nothing = { hours, flakyTests: [], quarantine: null }
  return { ...scene, frame: aWhole({ now: after(0) }), trends: nothing }
}

/** Five lanes, of which two have grown together. */
export function lanes(): Scene {
  const told = new Shop({ mode: 'parallel', batchingMinSize: 2, concurrency: 8 })
  const submitted: readonly (readonly [number, string[], object?])[] = [
    [1031, ['checkout', 'basket']],
    [1033, ['search']],
    [1036, ['checkout'], { noBatch: false }],
    [1037, ['checkout'], { noBatch: false, dependsOn: [1036] }],
    [1042, ['checkout', 'search']],
    [1046, [hostile]],
  ]
  for (const [number, targets, more = { noBatch: true }] of submitted) {
    told.do(9, { type: 'setImpactedTargets', number, targets })
    told.come(9, [number], more)
  }
  // Nobody has said what these touch.
  told.come(2, numbers(1051, 3))
  return { ...sceneOf(told, 1036, '', 'member'), trends: storm().trends }
}

const attack = `</script><img src=x onerror="document.title='taken'">\u202E\u0000`
const hostile = attack + 'very '.repeat(400)

/** Half a million letters without a place to break. */
const endless = attack + 'w'.repeat(500_000)

/** What somebody else writes. */
const foreign = new Set([
  ...['title', 'author', 'why', 'text', 'name', 'file', 'test', 'who', 'stateBy', 'tokenName'],
  ...['run', 'failedIn', 'passedWithout', 'ticket', 'submittedBy'],
])

/** Markup, control characters and long texts wherever somebody else writes. */
export function hostileTexts(): Scene {
  const spoilt = (key: string, value: unknown): unknown => {
    if (key === 'url') return 'javascript:alert(1)'
    if (key === 'faults' || key === 'failedTests') return [hostile]
    return foreign.has(key) && typeof value === 'string' ? hostile : value
  }
  const scene: StagedScene = JSON.parse(JSON.stringify(storm()), spoilt)
  const rows = scene.frame.rows.map((row) =>
    row.number === 1033 && row.member
      ? { ...row, why: endless, member: { ...row.member, title: endless } }
      : row,
  )
  const queue = { ...scene.frame.queue, state: 'PAUSED', stateBy: hostile } as const
  return { ...scene, frame: { ...scene.frame, queue, rows } }
}
