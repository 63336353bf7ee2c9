/** The metric of refused requests, which belongs to no queue. */

import { refusalReasons, type Refusals } from '../auth/refusals.ts'

export async function refusalMetrics(refusals: Refusals): Promise<string> {
  // Loaded by the first scrape, because not every server is scraped.
  const { Counter, Registry } = await import('prom-client')
  const registry = new Registry()
  const counter = new Counter({
    registers: [registry],
    labelNames: ['reason'],
    name: 'mq_auth_failures_total',
    help: 'Requests that were refused because of their token',
  })
  for (const reason of refusalReasons) counter.inc({ reason }, refusals.of(reason))
  return registry.metrics()
}
