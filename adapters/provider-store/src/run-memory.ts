/** Milliseconds after its last call until a run is forgotten; its row is free then, and the run would begin anew (PRV-19). */
export const RUN_MEMORY_MS = 24 * 60 * 60 * 1_000;
