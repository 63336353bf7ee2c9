/** The thread that makes forecasts. It starts with the first task; a fault of it harms nothing else. */

import { Worker } from 'node:worker_threads'
import type { ForecastTask, RawForecast } from './forecast.ts'

export type RawForecasts = ReadonlyMap<number, RawForecast>

/** More than this no queue needs, and a server has other uses for its memory. */
const mostMebibytes = 256
const longestMs = 60_000

export class ForecastThread {
  #worker: Worker | null = null
  #isClosed = false

  /** Rejects if the thread ends, or takes longer than a minute. One task at a time. */
  async forecast(task: ForecastTask): Promise<RawForecasts> {
    if (this.#isClosed) throw new Error('the server stops')
    const worker = (this.#worker ??= started())
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<RawForecasts>((resolve, reject) => {
        timer = setTimeout(() => reject(new Error('a forecast took too long')), longestMs).unref()
        worker.removeAllListeners()
        worker.once('message', resolve)
        worker.once('error', reject)
        worker.once('exit', () => reject(new Error('the thread has ended')))
        worker.postMessage(task, [])
      })
    } catch (error) {
      this.#worker = null
      // It has failed already; what its end says is not needed.
      worker.removeAllListeners()
      worker.on('error', () => undefined)
      await worker.terminate()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker?.terminate()
  }
}

function started(): Worker {
  const url = new URL('./forecast-worker.js', import.meta.url)
  const worker = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: mostMebibytes } })
  worker.unref()
  return worker
}
