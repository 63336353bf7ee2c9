/** What the server sends, folded by the page, is what the server shows. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecordedCommand } from '../../../../engine/index.ts'
import { changeText, wholeText } from '../../channel.ts'
import type { EndedRow, Frame } from '../../frame.ts'
import { endedSince, mostEnded, pictureOf } from '../../picture.ts'
import { StateChanges } from '../../view.ts'
import { QueueRegistry } from '../../../queues/queue-registry.ts'
import { type PageState, fold } from './fold.ts'

const name = 'github.com/acme/shop:main'
const incarnation = '0c9a5a2e-5b1f-4a33-8c1d-111111111111'

const number = fc.integer({ min: 1, max: 12 })
const testRun = fc.integer({ min: 1, max: 30 })
const outcome = fc.constantFrom('passed', 'failed', 'errored')
const state = fc.constantFrom('RUNNING', 'PAUSED', 'DRAINING')
const command: fc.Arbitrary<RecordedCommand> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('submitPullRequest'), number }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('finishTestRun'), testRun, outcome }) },
  fc.record({ type: fc.constant('wake') }),
  fc.record({
    type: fc.constant('cancelPullRequest'),
    number,
    reason: fc.constant('USER_REQUESTED'),
  }),
  fc.record({
    type: fc.constant('reportPullRequest'),
    number,
    mergeable: fc.boolean(),
    title: fc.string({ maxLength: 20 }),
  }),
  fc.record({ type: fc.constant('updateQueue'), set: fc.record({ state }) }),
)
/** Commands, and after which of them a frame is sent. */
const story = fc.array(fc.tuple(command, fc.boolean()), { maxLength: 60 })

function shop() {
  const registry = new QueueRegistry({ wakeAt: () => undefined })
  const send = (each: RecordedCommand): void => {
    const sequence = registry.sequence + 1
    registry.apply({ sequence, at: sequence * 60_000, queue: name, command: each })
  }
  const set = { batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 2, concurrency: 2 }
  send({ type: 'createQueue', incarnation, set })
  const queue = registry.find(name)
  if (!queue) throw new Error('no queue')
  return { registry, send, queue }
}

const parts = {
  changes: new StateChanges(),
  hosting: { of: () => null, all: [] },
  estimateOf: () => null,
}

test.each(['member', 'public'] as const)(
  'wherever frames are cut, the folded frames for a %s are the whole',
  (audience) => {
    fc.assert(
      fc.property(story, (commands) => {
        const { registry, send, queue } = shop()
        const moment = () => ({ sequence: registry.sequence, now: '2026-01-05T09:00:00.000Z' })
        const whole = (): Frame => {
          const from = Math.max(0, queue.history.conclusions.end - mostEnded)
          const ended = endedSince(queue, from, audience)
          const text = wholeText(pictureOf(queue, parts, audience), ended, moment())
          const frame: Frame = JSON.parse(text)
          return frame
        }
        let picture = pictureOf(queue, parts, audience)
        let folded: PageState | null = fold(null, whole())
        for (const [index, [each, isSent]] of commands.entries()) {
          send(each)
          if (!isSent && index < commands.length - 1) continue
          const next = pictureOf(queue, parts, audience)
          const ended = endedSince(queue, picture.conclusions, audience)
          const text = changeText(picture, next, { ended, ...moment() })
          picture = next
          if (text === null) continue
          const frame: Frame = JSON.parse(text)
          folded = fold(folded, frame)
        }
        const fresh = fold(null, whole())
        const { sequence: _folded, ended, ...rest } = folded ?? {}
        const { sequence: _fresh, ended: freshEnded = [], ...freshRest } = fresh ?? {}
        expect(rest).toEqual(freshRest)
        // A title that changes after the end is not sent.
        const told = (rows: readonly EndedRow[]) => rows.map(({ member: _member, ...row }) => row)
        expect(told(ended ?? [])).toEqual(told(freshEnded))
      }),
      { numRuns: 150 },
    )
  },
)
