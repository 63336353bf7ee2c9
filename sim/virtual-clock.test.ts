import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawsOf } from './draw.ts'
import { lanes, VirtualClock, type Happening, type Lane, type TieOrder } from './virtual-clock.ts'

const thing = (at: number, lane: Lane, name: string | number): Happening => ({
  at,
  lane,
  name,
  commands: () => [],
})

function clockWith(things: readonly Happening[], tieOrder: TieOrder, seed = 1): VirtualClock {
  const clock = new VirtualClock(drawsOf(seed), tieOrder)
  for (const each of things) clock.schedule(each)
  return clock
}

/** Everything on the clock, in the order in which it comes. */
function rundown(clock: VirtualClock): string[] {
  const order: string[] = []
  for (let next = clock.next(); next; next = clock.next()) {
    order.push(`${next.at} ${next.lane} ${next.name}`)
  }
  return order
}

const anyThing = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom(...lanes.slice(0, 4)), fc.nat(1000))
  .map(([at, lane, name]) => thing(at, lane, name))

describe('the virtual clock', () => {
  test('gives things in order of time, whatever the order in which they were put there', () => {
    fc.assert(
      fc.property(
        fc.array(anyThing),
        fc.constantFrom<TieOrder>('submission', 'shuffled'),
        (all, tieOrder) => {
          const times = rundown(clockWith(all, tieOrder)).map((text) => Number(text.split(' ')[0]))
          expect(times).toEqual([...times].sort((a, b) => a - b))
          expect(times.length).toBe(all.length)
        },
      ),
    )
  })

  test('at one instant people come before machines; within a lane, who was put there first', () => {
    const clock = clockWith(
      [
        thing(5, 'result', 'a'),
        thing(5, 'merge', 'b'),
        thing(5, 'event', 'c'),
        thing(5, 'event', 'd'),
        thing(5, 'submission', 'e'),
      ],
      'submission',
    )
    clock.wakeAt(5)
    expect(rundown(clock)).toEqual([
      '5 submission e',
      '5 event c',
      '5 event d',
      '5 merge b',
      '5 result a',
      '5 wake ',
    ])
  })

  test('shuffled, the order of one instant depends on the seed and on what the things are', () => {
    const all = [1, 2, 3, 4, 5, 6, 7, 8].map((name) => thing(5, 'result', name))
    const order = rundown(clockWith(all, 'shuffled'))
    expect(rundown(clockWith([...all].reverse(), 'shuffled'))).toEqual(order)
    expect(rundown(clockWith(all, 'shuffled', 2))).not.toEqual(order)
    const without = all.filter(({ name }) => name !== 3)
    expect(rundown(clockWith(without, 'shuffled'))).toEqual(
      order.filter((text) => text !== '5 result 3'),
    )
  })

  test('wakes up once at an instant, however often that was asked for', () => {
    const clock = clockWith([], 'submission')
    clock.wakeAt(7)
    clock.wakeAt(7)
    clock.wakeAt(3)
    expect(rundown(clock)).toEqual(['3 wake ', '7 wake '])
    clock.wakeAt(7)
    expect(clock.next()?.commands()).toEqual([{ type: 'wake' }])
  })

  test('knows when wake-ups are all that is left', () => {
    const clock = clockWith([thing(1, 'result', 1)], 'submission')
    clock.wakeAt(2)
    expect(clock.hasOnlyWakes).toBe(false)
    clock.next()
    expect(clock.hasOnlyWakes).toBe(true)
  })
})
