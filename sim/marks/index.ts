export const markNames: readonly string[] = []
