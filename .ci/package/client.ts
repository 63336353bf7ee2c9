/** A client made from the OpenAPI document, by the tools that users take: it must compile without defaults. */

import createClient from 'openapi-fetch'
import type { paths } from 'generated-api'

const headers = { 'x-api-token': 'secret' }
const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:1/v1', headers })
const repo = { host: 'github.com', owner: 'acme', name: 'shop' }
const queue = { repo, targetBranch: 'main' }

/** Fields with a default may be left out. */
export async function story(): Promise<string[]> {
  await client.POST('/createQueue', { body: { ...queue, mode: 'single' } })
  const { data, error } = await client.POST('/listPullRequests', { body: queue })
  if (error !== undefined) throw new Error(String(error))
  const states: string[] = []
  for (const { prNumber, state } of data.pullRequests) states.push(`${prNumber} ${state}`)
  return states
}
