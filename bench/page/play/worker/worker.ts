/** The worker: simulates what the page wishes for, the figures first. */

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

const rest = async (pause: Pause): Promise<boolean> => {
  await new Promise((resolve) => {
    setTimeout(resolve, restMs)
  })
  return pause()
}

async function grant(wish: Wish, pause: Pause): Promise<void> {
  try {
    await (wish.isHashed ? hash(wish, pause) : show(wish, pause))
  } catch (error) {
    answer({ kind: 'failed', id: wish.id, why: String(error) })
  }
}

async function hash({ id, scenario }: Wish, pause: Pause): Promise<void> {
  const figures = await figuresOf(scenario, { isHashed: true }, pause)
  if (figures) answer({ kind: 'hashed', id, figures })
}

async function show({ id, scenario, today }: Wish, pause: Pause): Promise<void> {
  const figures = await figuresOf(scenario, { isHashed: false }, pause)
  if (!figures) return
  answer({ kind: 'figures', id, figures })
  const before = today && (await figuresOf(today, { isHashed: false }, pause))
  if (before) answer({ kind: 'today', id, figures: before })
  if (!(await rest(pause))) return
  const film = await filmOf(scenario, pause)
  if (!film) return
  answer({ kind: 'film', id, film })
  for await (const other of othersOf(scenario, pause)) answer({ kind: 'other', id, other })
}

const latest = new LatestWins<Wish>(grant, breathe)

addEventListener('message', ({ data }: MessageEvent<Wish>) => void latest.wish(data))
