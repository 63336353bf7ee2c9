/** Operations about tests in quarantine. Rules. */

import { isInForce, quarantineProposals } from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import { answer, done, reject, withQueue, type Operation } from './operation.ts'

/** Puts a test in quarantine, in the name of the token. */
export const quarantineTest: Operation<wire.QuarantineTest, wire.Nothing> = (context, body) =>
  withQueue(context, body, ({ name }) => {
    const { test, why, until } = body
    const { manager, caller } = context
    const end = until === undefined ? {} : { until: Date.parse(until) }
    if (end.until !== undefined && !(end.until > manager.now)) {
      const text = `until must be an instant to come, like ${new Date(manager.now + dayMs).toISOString()}`
      return reject({ code: 'contradiction', text })
    }
    const entry = { who: caller.name, ...(why === undefined ? {} : { why }), ...end }
    return done(manager.send(name, { type: 'quarantineTest', test: { name: test }, ...entry }))
  })

const dayMs = 24 * 3_600_000

/** Takes a test out of quarantine. */
export const releaseTest: Operation<wire.ReleaseTest, wire.Nothing> = (context, body) =>
  withQueue(context, body, ({ name }) => {
    const test = { name: body.test }
    return done(context.manager.send(name, { type: 'releaseTest', test }))
  })

/** Returns the tests in quarantine, in the order of their names, and the proposals. */
export const getQuarantine: Operation<wire.QueueRef, wire.Quarantine> = (context, body) =>
  withQueue(context, body, ({ engine }) => {
    const { quarantine } = engine.queue
    const at = context.manager.now
    const tests = Object.entries(quarantine?.tests ?? {}).map(([test, entry]) => {
      const { since, until, ...told } = entry
      return {
        test,
        ...told,
        since: new Date(since).toISOString(),
        ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
        inForce: isInForce(entry, at),
        merges: quarantine?.mergesBy[test] ?? 0,
      }
    })
    return answer({
      merges: quarantine?.merges ?? 0,
      tests: tests.sort((a, b) => (a.test < b.test ? -1 : 1)),
      proposals: quarantineProposals(engine.queue, at),
    })
  })
