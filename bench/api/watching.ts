/** A process of its own that watches a queue with many pages, and reads all that they get. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type Watching = {
  /** Frames that all pages together have got so far. */
  readonly frames: () => Promise<number>
  readonly stop: () => Promise<void>
}

const program = fileURLToPath(new URL('./watching-process.js', import.meta.url))

/** Settles when all pages have got their first frame. */
export async function watchWith(url: string, pages: number): Promise<Watching> {
  const child = fork(program, [url, String(pages)], { stdio: 'inherit' })
  const heard = async (): Promise<number> => {
    const [frames]: number[] = await once(child, 'message')
    return frames ?? 0
  }
  await heard()
  const frames = (): Promise<number> => {
    const answer = heard()
    child.send('count')
    return answer
  }
  const stop = async (): Promise<void> => {
    const exit = once(child, 'exit')
    child.kill()
    await exit
  }
  return { frames, stop }
}
