import { expect, test } from 'vitest'
import { deferred } from '../files/turns.ts'
import { type ManagerOutcome, done } from '../queues/queue-registry.ts'
import { Sent } from './work-in-term.ts'

const wake = { type: 'wake' } as const

test('settles when all that was sent is seen, also what was refused', async () => {
  const outcomes = [deferred<ManagerOutcome>(), deferred<ManagerOutcome>()]
  const asked = [...outcomes]
  const sent = new Sent(() => asked.shift()?.promise ?? Promise.reject(new Error('no more')))
  expect(sent.settled()).toBeUndefined()
  sent.send(wake)
  sent.send(wake)
  let isSettled = false
  const settled = (async () => {
    await sent.settled()
    isSettled = true
  })()
  outcomes[0]?.resolve(done(1))
  await Promise.resolve()
  expect(isSettled).toBe(false)
  outcomes[1]?.resolve({ accepted: false, rejection: { code: 'test run is over' } })
  await settled
  expect(sent.settled()).toBeUndefined()
})

test('a fault is told once, also to who asks later, and then forgotten', async () => {
  const sent = new Sent(() => Promise.reject(new Error('the store cannot be reached')))
  sent.send(wake)
  await new Promise((resolve) => void setImmediate(resolve))
  await expect(sent.settled()).rejects.toThrow('the store cannot be reached')
  expect(sent.settled()).toBeUndefined()
})
