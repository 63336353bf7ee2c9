/** Starts the PostgreSQL of a project `shared` of vitest.config.ts, one for all of its files. */

import type { TestProject } from 'vitest/node'
import { PrivatePostgres } from '../postgres/testing/private-postgres.ts'

/** Several projects load this file once. */
const started: PrivatePostgres[] = []

/** Vitest calls it before the first file of each project. */
export async function setup(project: TestProject): Promise<void> {
  const postgres = await PrivatePostgres.start()
  started.push(postgres)
  project.provide('sharedStore', postgres.urlOf('').replace(/\/$/u, ''))
}

/** Vitest calls it for each project, after the last file of all. */
export async function teardown(): Promise<void> {
  for (const postgres of started.splice(0)) await postgres.remove()
}
