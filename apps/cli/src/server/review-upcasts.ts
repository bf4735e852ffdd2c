/** Schema versions of what reviews write (REV-3): the steps from the first to the present one. A type that is not named has not changed. */
import { createUpcast, type UpcastTable } from '@weir/ports';

export const UPCASTS: UpcastTable = new Map([['RequestDropped', [data => ({ ...data, coordinates: null, change: null })]]]);
export const REVIEW_UPCASTS = createUpcast(UPCASTS);
