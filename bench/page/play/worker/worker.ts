/** A worker: simulates what the page wishes for, the figures first. */

import type { Figures } from '../../../../sim/result/result-document.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import { LatestWins, type Pause } from './latest.ts'
import type { Answer, Wish } from './protocol.ts'
import { figuresOf, filmOf, othersOf } from './simulations.ts'

/** A slider that moves makes no film. */
const restMs = 150

const answer = (message: Answer): void => {
  postMessage(message)
}

/** Resolves when the messages that have come so far were read. */
const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(null)
  })

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

async function grant(wish: Wish, pause: Pause): Promise<void> {
  try {
    await granters[wish.wants](wish, pause)
  } catch (error) {
    answer({ kind: 'failed', id: wish.id, why: String(error) })
  }
}

const granters = { show, hash, others, nothing: () => Promise.resolve() } as const

async function hash({ id, scenario }: Wish, pause: Pause): Promise<void> {
  const figures = await figuresOf(scenario, { isHashed: true }, pause)
  if (figures) answer({ kind: 'hashed', id, figures })
}

async function others({ id, scenario }: Wish, pause: Pause): Promise<void> {
  for await (const other of othersOf(scenario, pause)) answer({ kind: 'other', id, other })
}

async function show({ id, scenario, today }: Wish, pause: Pause): Promise<void> {
  const figures = await figuresOf(scenario, { isHashed: false }, pause)
  if (!figures) return
  answer({ kind: 'figures', id, figures })
  if (today) {
    const before = await figuresOfToday(today, pause)
    if (!before) return
    answer({ kind: 'today', id, figures: before })
  }
  if (!(await pause(restMs))) return
  const film = await filmOf(scenario, pause)
  if (film) answer({ kind: 'film', id, film })
}

/** Those of the last today's setting are kept, because a slider moves often and today does not. */
let known: { readonly today: string; readonly figures: Figures } | null = null

async function figuresOfToday(scenario: Scenario, pause: Pause): Promise<Figures | null> {
  const today = JSON.stringify(scenario)
  if (known?.today === today) return known.figures
  const figures = await figuresOf(scenario, { isHashed: false }, pause)
  if (figures) known = { today, figures }
  return figures
}

const latest = new LatestWins<Wish>(grant, { breathe, sleep })

addEventListener('message', ({ data }: MessageEvent<Wish>) => void latest.wish(data))
