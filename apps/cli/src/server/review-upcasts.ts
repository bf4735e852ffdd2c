/** Schema versions of what reviews write (REV-3). No type has changed since the first. */
import { createUpcast, type UpcastTable } from '@weir/ports';

export const UPCASTS: UpcastTable = new Map();
export const REVIEW_UPCASTS = createUpcast(UPCASTS);
