/** Starts the PostgreSQL of the project `shared` of vitest.config.ts, one for all of its files. */

import type { TestProject } from 'vitest/node'
import { PrivatePostgres } from '../postgres/testing/private-postgres.ts'

let postgres: PrivatePostgres | null = null

/** Vitest calls it before the first file. */
export async function setup(project: TestProject): Promise<void> {
  postgres = await PrivatePostgres.start()
  project.provide('sharedStore', postgres.urlOf('').replace(/\/$/u, ''))
}

/** Vitest calls it after the last file. */
export async function teardown(): Promise<void> {
  await postgres?.remove()
}
