/** A table with one function for each type of a message: the table of contents of a decider, a fold or a view. */
interface Message {
  readonly type: string;
}

/** One for every type; the compiler names a missing one. */
export type Handlers<M extends Message, Subject, Answer> = { readonly [Type in M['type']]: (message: Extract<M, { type: Type }>, subject: Subject) => Answer };

/** Only for the types that matter; the others leave the subject as it is. */
export type Folds<M extends Message, Subject> = Partial<Handlers<M, Subject, Subject>>;

export const handle = <M extends Message, Subject, Answer>(table: Handlers<M, Subject, Answer>, message: M, subject: Subject): Answer =>
  (table[message.type as M['type']] as (message: M, subject: Subject) => Answer)(message, subject);

export function fold<M extends Message, Subject>(table: Folds<M, Subject>, message: M, subject: Subject): Subject {
  const handler = table[message.type as M['type']] as ((message: M, subject: Subject) => Subject) | undefined;
  return handler === undefined ? subject : handler(message, subject);
}
