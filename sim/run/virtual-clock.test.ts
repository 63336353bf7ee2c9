import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawsOf } from '../random/draw.ts'
import {
  eventKinds,
  VirtualClock,
  type ScheduledEvent,
  type EventKind,
  type TieOrder,
} from './virtual-clock.ts'

const scheduledAt = (at: number, kind: EventKind, name: string | number): ScheduledEvent => ({
  at,
  kind,
  name,
  commands: () => [],
})

function clockWith(events: readonly ScheduledEvent[], tieOrder: TieOrder, seed = 1): VirtualClock {
  const clock = new VirtualClock(drawsOf(seed), tieOrder)
  for (const each of events) clock.schedule(each)
  return clock
}

/** Takes all events off the clock, and returns them as text in their order. */
function takeAll(clock: VirtualClock): string[] {
  const order: string[] = []
  for (let next = clock.next(); next; next = clock.next()) {
    order.push(`${next.at} ${next.kind} ${next.name}`)
  }
  return order
}

const anyEvent = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom(...eventKinds.slice(0, 4)), fc.nat(1000))
  .map(([at, kind, name]) => scheduledAt(at, kind, name))

describe('the virtual clock', () => {
  test('returns events in order of time, in whatever order they were scheduled', () => {
    fc.assert(
      fc.property(
        fc.array(anyEvent),
        fc.constantFrom<TieOrder>('submission', 'shuffled'),
        (all, tieOrder) => {
          const times = takeAll(clockWith(all, tieOrder)).map((text) => Number(text.split(' ')[0]))
          expect(times).toEqual([...times].sort((a, b) => a - b))
          expect(times.length).toBe(all.length)
        },
      ),
    )
  })

  test('at one instant people come before machines; within a kind, in the order of scheduling', () => {
    const clock = clockWith(
      [
        scheduledAt(5, 'result', 'a'),
        scheduledAt(5, 'merge', 'b'),
        scheduledAt(5, 'event', 'c'),
        scheduledAt(5, 'event', 'd'),
        scheduledAt(5, 'submission', 'e'),
      ],
      'submission',
    )
    clock.wakeAt(5)
    expect(takeAll(clock)).toEqual([
      '5 submission e',
      '5 event c',
      '5 event d',
      '5 merge b',
      '5 result a',
      '5 wake ',
    ])
  })

  test('with shuffled ties, the order at one instant depends only on the seed and on the events', () => {
    const all = [1, 2, 3, 4, 5, 6, 7, 8].map((name) => scheduledAt(5, 'result', name))
    const order = takeAll(clockWith(all, 'shuffled'))
    expect(takeAll(clockWith([...all].reverse(), 'shuffled'))).toEqual(order)
    expect(takeAll(clockWith(all, 'shuffled', 2))).not.toEqual(order)
    const without = all.filter(({ name }) => name !== 3)
    expect(takeAll(clockWith(without, 'shuffled'))).toEqual(
      order.filter((text) => text !== '5 result 3'),
    )
  })

  test('wakes up once at an instant, also if that was requested several times', () => {
    const clock = clockWith([], 'submission')
    clock.wakeAt(7)
    clock.wakeAt(7)
    clock.wakeAt(3)
    expect(takeAll(clock)).toEqual(['3 wake ', '7 wake '])
    clock.wakeAt(7)
    expect(clock.next()?.commands()).toEqual([{ type: 'wake', at: 7 }])
  })

  test('detects that only wake-ups are left', () => {
    const clock = clockWith([scheduledAt(1, 'result', 1)], 'submission')
    clock.wakeAt(2)
    expect(clock.hasOnlyWakes).toBe(false)
    clock.next()
    expect(clock.hasOnlyWakes).toBe(true)
  })
})
