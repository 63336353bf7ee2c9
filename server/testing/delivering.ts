/** Webhooks at work for one queue, in tests, in a time that a test lets go by. */

import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { dataFolder, makeDataFolder, type DataFolder } from '../store/data-folder.ts'
import { writeEndpoints, type Endpoint } from '../webhooks/endpoints.ts'
import { readOutbox } from '../webhooks/outbox-file.ts'
import { Webhooks } from '../webhooks/webhooks.ts'
import type { YardCommand } from '../yard/commands.ts'
import { queueRefFrom } from '../yard/queue-ref.ts'
import { Register } from '../yard/register.ts'
import { ManualTimers } from './manual-timers.ts'
import { silent as noWakes } from './recording.ts'
import { temporaryFolder } from './running.ts'

const name = 'github.com/acme/shop:main'
const incarnation = '0c9a5a2e-5b1f-4a33-8c1d-111111111111'

type Delivering = {
  readonly folder: DataFolder
  readonly timers: ManualTimers
  readonly send: (command: YardCommand) => void
  readonly submit: (number: number) => void
  readonly close: () => Promise<void>
}

/** A queue whose webhooks are at work, in a time that a test can let go by. */
export async function delivering(...endpoints: readonly Endpoint[]): Promise<Delivering> {
  const folder = dataFolder(temporaryFolder())
  makeDataFolder(folder)
  await writeEndpoints(folder.webhooks, endpoints)
  const register = new Register(noWakes)
  const timers = new ManualTimers()
  const logger = pino({ level: 'silent' })
  const webhooks = await Webhooks.open(folder, register, { logger, timers })
  onTestFinished(() => webhooks.close())
  const send = (command: YardCommand): void => {
    const sequence = register.sequence + 1
    const outcome = register.apply({ sequence, at: sequence, queue: name, command })
    if (!outcome.accepted) throw new Error(outcome.rejection.code)
    const { at, events } = outcome
    webhooks.hear({ sequence, at, queue: queueRefFrom(name), command, events })
  }
  send({ type: 'createQueue', incarnation, set: { state: 'PAUSED' } })
  const submit = (number: number): void => send({ type: 'submitPullRequest', number })
  return { folder, timers, send, submit, close: () => webhooks.close() }
}

/** Webhooks at work again in that folder, on a queue that is there already. */
export async function reopened(
  folder: DataFolder,
  timers: ManualTimers,
): Promise<(command: YardCommand) => void> {
  const register = new Register(noWakes)
  const apply = (command: YardCommand) => {
    const sequence = register.sequence + 1
    const outcome = register.apply({ sequence, at: sequence, queue: name, command })
    if (!outcome.accepted) throw new Error(outcome.rejection.code)
    return { sequence, at: outcome.at, events: outcome.events }
  }
  apply({ type: 'createQueue', incarnation, set: { state: 'PAUSED' } })
  const { through } = readOutbox(folder.outbox)
  for (let number = 1; register.sequence < through; number++) {
    apply({ type: 'submitPullRequest', number })
  }
  const webhooks = await Webhooks.open(folder, register, {
    logger: pino({ level: 'silent' }),
    timers,
  })
  onTestFinished(() => webhooks.close())
  return (command) => webhooks.hear({ ...apply(command), queue: queueRefFrom(name), command })
}
