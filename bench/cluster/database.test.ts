import { onTestFinished } from 'vitest'
import { describeLogDatabase } from '../../server/replica/testing/log-contract.ts'
import { Connection } from './connection.ts'
import { SimulatedDatabase } from './database.ts'
import { SimulatedTime } from './time.ts'

describeLogDatabase('the simulation', () => {
  const time = new SimulatedTime()
  const database = new SimulatedDatabase(time, new Set())
  // Time goes on by itself while a test awaits.
  let isOver = false
  const tick = (): void => {
    if (!isOver) void time.runUntil(time.nowMs + 5).then(() => setImmediate(tick))
  }
  onTestFinished(() => {
    isOver = true
  })
  tick()
  const connect = (): Connection =>
    new Connection({
      ...{ time, database },
      // Nothing is lost or slow.
      draw: () => 0.5,
      isCut: () => false,
      hear: (act) => act(),
      onSession: () => undefined,
    })
  return Promise.resolve({ one: connect(), other: connect() })
})
