/**
 * The tests of a story whose server is killed after an effect: `MERGEYARD_EFFECTS=all` tries every one, and
 * first that nobody is killed.
 */

import { expect, test, type TestContext } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'

type Ended = {
  /** How many servers were killed. */
  readonly kills: number
  readonly effects: number
}

type Story<Played extends Ended> = {
  /** Plays it; the server dies after effect `last`, and is started again. */
  readonly play: (last: number, context: TestContext) => Promise<Played>
  readonly judge: (ended: Played) => Promise<void>
  /** It has about so many effects; a later one is never reached, and then nobody is killed. */
  readonly most: number
  /** By default every so many is tried. */
  readonly step: number
}

export function crashTests<Played extends Ended>(story: Story<Played>): void {
  const { play, judge, most } = story
  const asked = process.env['MERGEYARD_EFFECTS']
  const step = asked === 'all' ? 1 : Number(asked ?? story.step)

  test.skipIf(asked === undefined)(
    'the story ends as promised when nobody is killed',
    async (context) => {
      const ended = await play(0, context)
      expect(ended.kills).toBe(0)
      await judge(ended)
      process.stdout.write(`the story has ${ended.effects} effects\n`)
    },
  )

  const chosen = Array.from({ length: Math.floor(most / step) }, (_, index) => (index + 1) * step)
  test.concurrent.for(chosen)(
    'the end is the same after a kill at effect %i',
    matrix,
    async (last, context) => {
      const ended = await play(last, context)
      const { kills, effects } = ended
      expect({ kills, effects }).toEqual({ kills: effects >= last ? 1 : 0, effects })
      await judge(ended)
    },
  )
}

/** Starts the program again until it ends by itself. Returns what it printed last, and how often it was killed. */
export async function untilItEnds(
  start: () => Promise<{ readonly stdout: string }>,
): Promise<{ readonly stdout: string; readonly kills: number }> {
  for (let kills = 0; ; kills++) {
    try {
      return { stdout: (await start()).stdout, kills }
    } catch (error) {
      const isKilled = error instanceof Error && 'signal' in error && error.signal === 'SIGKILL'
      if (!isKilled) throw error
    }
  }
}
