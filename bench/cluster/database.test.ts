import { onTestFinished } from 'vitest'
import { describeLogDatabase } from '../../server/replica/testing/log-contract.ts'
import type { Terms } from '../../server/timing/term-keeper.ts'
import { describeTerms } from '../../server/timing/testing/terms-contract.ts'
import { chains, describeOutboxDatabase } from '../../server/webhooks/testing/term-contract.ts'
import { SimulatedDatabase } from './database.ts'
import { Connection, OutboxConnection } from './server.ts'
import { SimulatedTime } from './time.ts'
import type { WireParts } from './wire.ts'

/** A database whose time goes on by itself while a test awaits. */
function simulated(): { readonly database: SimulatedDatabase; readonly wire: WireParts } {
  const time = new SimulatedTime()
  const database = new SimulatedDatabase(time, new Set())
  let isOver = false
  const tick = (): void => {
    if (!isOver) void time.runUntil(time.nowMs + 5).then(() => setImmediate(tick))
  }
  onTestFinished(() => {
    isOver = true
  })
  tick()
  // Nothing is lost or slow.
  const wire = { time, draw: () => 0.5, isCut: () => false, hear: (act: () => void) => act() }
  return { database, wire }
}

const connect = ({ database, wire }: ReturnType<typeof simulated>): Connection =>
  new Connection({ ...wire, database, onSession: () => undefined })

describeLogDatabase('the simulation', () => {
  const made = simulated()
  return Promise.resolve({ one: connect(made), other: connect(made) })
})

describeOutboxDatabase('the simulation', async () => {
  const made = simulated()
  const { database, wire } = made
  const turn = await connect(made).begin(0)
  const lines = chains.map((chain, place) => ({ sequence: place + 1, text: '{}', chain }))
  await turn.commit(lines, { sequence: 3, at: 1, chain: chains[2], engine: 1, wakeAt: null })
  const connected = (): OutboxConnection => new OutboxConnection(wire, database.outbox)
  const terms = database.terms.over(wire, 'webhooks')
  return { one: connected(), other: connected(), terms }
})

describeTerms('the simulation', () => {
  const { database, wire } = simulated()
  const connected = (): Terms => database.terms.over(wire, 'hosts')
  return Promise.resolve({ one: connected(), other: connected() })
})
