/**
 * Loaded into the process under test before the program: reports the processor time and memory of
 * the process when the parent process requests them. The program is unchanged.
 */

import { closeSync, openSync, readSync } from 'node:fs'

export type Reading = {
  /** Processor time since the start of the process. */
  readonly cpuNs: number
  /** Resident memory now, and its peak. */
  readonly rssBytes: number
  readonly peakBytes: number
}

/** The longest turn of the event loop since `watch`, in processor time of its thread. */
export type Hold = { readonly worstNs: number }

const nsPerUs = 1000
const bytesPerKiB = 1024

let watched: Watched | null = null

process.on('message', (message) => {
  if (message === 'watch') watched = new Watched()
  else if (message === 'hold') {
    const hold: Hold = { worstNs: watched?.end() ?? 0 }
    watched = null
    process.send?.(hold)
  }
  if (message !== 'read') return
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const reading: Reading = {
    cpuNs: (userCPUTime + systemCPUTime) * nsPerUs,
    rssBytes: process.memoryUsage.rss(),
    peakBytes: maxRSS * bytesPerKiB,
  }
  process.send?.(reading)
})
// The channel must not keep the process running when the program has ended.
process.channel?.unref()

/**
 * Compares the processor time of the main thread from turn to turn of the event loop, which it keeps
 * busy. Time that other processes and threads take does not count.
 */
class Watched {
  readonly #file = statisticsOfThread()
  #before = this.#now()
  #worst = 0
  #isOver = false

  constructor() {
    const turn = (): void => {
      if (this.#isOver) return
      this.#note()
      setImmediate(turn)
    }
    setImmediate(turn)
  }

  end(): number {
    this.#note()
    this.#isOver = true
    if (this.#file !== null) closeSync(this.#file)
    return this.#worst
  }

  #note(): void {
    const now = this.#now()
    this.#worst = Math.max(this.#worst, now - this.#before)
    this.#before = now
  }

  #now(): number {
    if (this.#file === null) {
      const { user, system } = process.cpuUsage()
      return (user + system) * nsPerUs
    }
    const buffer = Buffer.alloc(100)
    const length = readSync(this.#file, buffer, 0, buffer.length, 0)
    return Number(buffer.toString('latin1', 0, length).split(' ')[0])
  }
}

/** Only Linux tells the processor time of one thread; null elsewhere, for that of the process. */
function statisticsOfThread(): number | null {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  } catch {
    return null
  }
}
