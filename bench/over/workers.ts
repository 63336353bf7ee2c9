/** The workers that a machine may be asked for. What comes out of a database must not choose code. */

const modules: Readonly<Record<string, string>> = {
  checkWorker: '../../sim/exhaustive/check-worker.js',
  compareWorker: '../cli/compare/compare-worker.js',
  huntWorker: '../../sim/defects/hunt-worker.js',
  seedWorker: '../../sim/campaign/seed-worker.js',
  soakWorker: '../../sim/soak/soak-worker.js',
  tuneWorker: '../tune/search/tune-worker.js',
}

export type WorkerFunction = (task: unknown) => unknown

/** Returns the worker of this name. Throws for one that is not in the list. */
export async function workerNamed(name: string): Promise<WorkerFunction> {
  const path = Object.hasOwn(modules, name) ? modules[name] : undefined
  if (path === undefined) throw new Error(`no worker is called ${JSON.stringify(name)}`)
  const module: Readonly<Record<string, WorkerFunction>> = await import(
    new URL(path, import.meta.url).href
  )
  const found = module[name]
  if (!found) throw new Error(`${path} has no ${name}`)
  return found
}
