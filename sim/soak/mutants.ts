/** Mutants of the engine that a soak has judged. The command plants them; this is what it reports. */

export type SoakMutant = {
  /** Place, operator and change; unique in one version of the engine. */
  readonly mutant: string
  /** The judges that noticed it. None: a finding. */
  readonly noticedBy: readonly string[]
  /** The command that judges it again. */
  readonly replay: string
}

/** Returns the mutants that no judge noticed. */
export const survivorsIn = (mutants: readonly SoakMutant[]): SoakMutant[] =>
  mutants.filter(({ noticedBy }) => noticedBy.length === 0)

/** Returns each mutant once, sorted. Two machines may have drawn the same one. */
export function distinctMutants(mutants: readonly SoakMutant[]): SoakMutant[] {
  const byName = new Map(mutants.map((each) => [each.mutant, each]))
  return [...byName.values()].sort((a, b) => (a.mutant < b.mutant ? -1 : 1))
}
