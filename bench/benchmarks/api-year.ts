/** The memory of a server after a year, with what it forgets and without forgetting anything. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordedCommand } from '../../engine/index.ts'
import { dueToForget } from '../../server/queues/due-to-forget.ts'
import { QueueRegistry } from '../../server/queues/queue-registry.ts'
import { dataFolder, makeDataFolder } from '../../server/store/data-folder.ts'
import { snapshotIn } from '../../server/store/recover.ts'
import { Served } from '../api/served.ts'
import { atMost, measured, target, type Benchmark } from '../measuring/measurement.ts'
import { spreadOf } from '../measuring/spread.ts'

const full = { days: 365, perDay: 500 } as const
const quick = { days: 3, perDay: 10 } as const

type Size = { readonly days: number; readonly perDay: number }

const mebibyte = 2 ** 20
const mostBytes = 300 * mebibyte
const dayMs = 24 * 60 * 60_000
const rememberDays = 90
const everythingDays = 36_500
const mostAtOnce = 500
const targetsEach = 20

export const apiYear: Benchmark = {
  name: 'api-year',
  title: 'memory after a year of 500 pull requests a day',
  async measure({ isQuick, progress }) {
    const size: Size = isQuick ? quick : full
    const bytes: number[] = []
    for (const days of [rememberDays, everythingDays]) {
      progress(days === rememberDays ? 'a year that is forgotten' : 'a year that is remembered')
      bytes.push(await memoryAfter(size, days))
    }
    const [forgetful = NaN, remembering = NaN] = bytes
    const about = `${size.days} days of ${size.perDay} pull requests`
    const value = spreadOf([forgetful])
    return measured({
      figures: [
        { name: `memory, ${about}, of which 90 days are remembered`, unit: 'bytes', value },
        {
          name: `memory, ${about}, all remembered`,
          unit: 'bytes',
          value: spreadOf([remembering]),
        },
      ],
      targets: [target(`memory after ${about}`, 'bytes', value, atMost(mostBytes))],
      notes: [`each pull request has a test run and ${targetsEach} targets of its own`],
    })
  },
}

/** Makes the snapshot of a server after the days, and returns the memory of a server with it. */
async function memoryAfter({ days, perDay }: Size, remember: number) {
  const path = mkdtempSync(join(tmpdir(), 'mergeyard-bench-'))
  try {
    const folder = dataFolder(path)
    makeDataFolder(folder)
    const db = snapshotIn(folder)
    db.data = { segment: 1, state: yearOf({ days, perDay }, remember).state() }
    await db.write()
    const served = await Served.start(path, ['--remember-days', String(remember)])
    const { rssBytes } = await served.process.read()
    await served.stop()
    return rssBytes
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}

/** A registry after the days, which end now. */
function yearOf({ days, perDay }: Size, remember: number): QueueRegistry {
  const registry = new QueueRegistry({ wakeAt: () => undefined })
  const name = 'github.com/acme/shop:main'
  let at = Date.now() - days * dayMs
  const send = (command: RecordedCommand): void => {
    registry.apply({ sequence: registry.sequence + 1, at, queue: name, command })
  }
  const incarnation = '0c9a5a2e-5b1f-4a33-8c1d-000000000001'
  send({ type: 'createQueue', incarnation, set: { mode: 'parallel' } })
  const queue = registry.find(name)
  if (!queue) throw new Error('no queue')
  for (let number = 1; number <= days * perDay; number++) {
    at += dayMs / perDay
    const targets = Array.from({ length: targetsEach }, (_, each) => `//packages/${number}:${each}`)
    send({
      type: 'setImpactedTargets',
      number,
      targets,
      sha: number.toString(16).padStart(40, '0'),
    })
    send({ type: 'submitPullRequest', number })
    const testRun = queue.engine.queue.last.testRun
    send({
      type: 'finishTestRun',
      testRun,
      outcome: 'passed',
      url: `https://ci.example/${testRun}`,
    })
    if (number % perDay !== 0) continue
    const numbers = dueToForget(queue, at - remember * dayMs, mostAtOnce)
    if (numbers.length > 0) send({ type: 'forget', numbers })
  }
  return registry
}
