/**
 * One statement in PostgreSQL's extended protocol, as `pg` takes queries of others: it is sent in one piece, a transaction's beginning
 * with it, and its rows are read by the port's own decoders. The client calls the methods `handle…` as messages arrive.
 */
import { SQL_MAX_ROWS, type SqlAnswer, sqlDecoder, type SqlRow } from '@weir/ports';
import type pg from 'pg';

export interface SentStatement {
  readonly statement: string;
  readonly values: readonly (string | null)[];
  /** `begin` goes before it. The server skips the rest of a piece after an error, so the statement never runs outside. */
  readonly begins: boolean;
}

export interface StatementEnd {
  readonly onAnswer: (answer: Omit<SqlAnswer, 'status'>) => void;
  readonly onError: (error: unknown) => void;
}

const WRITES: readonly string[] = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];
/** Words that the port alone says; they need none of the extended protocol's five messages. */
const CONTROL: ReadonlySet<string> = new Set(['commit', 'rollback']);

/** What the connection of `pg` writes, in the types that it documents and the published types leave out. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  query(text: string): void;
  parse(statement: { readonly text: string }): void;
  bind(values: { readonly values: readonly (string | null)[] }): void;
  describe(portal: { readonly type: 'P' }): void;
  execute(portal: object): void;
  sync(): void;
  sendCopyFail(reason: string): void;
}

interface Column {
  readonly name: string;
  readonly decode: (text: string) => unknown;
}

export class WireStatement implements pg.Submittable {
  readonly #sent: SentStatement;
  readonly #end: StatementEnd;
  #columns: readonly Column[] = [];
  readonly #rows: SqlRow[] = [];
  #count = 0;
  #fault: unknown;

  constructor(sent: SentStatement, end: StatementEnd) {
    this.#sent = sent;
    this.#end = end;
  }

  submit(connection: pg.Connection): void {
    // The published types of the connection describe an older version.
    const wire = connection as unknown as Wire;
    const { statement, values, begins } = this.#sent;
    if (CONTROL.has(statement)) {
      wire.query(statement);
      return;
    }
    wire.stream.cork();
    if (begins) {
      wire.parse({ text: 'begin' });
      wire.bind({ values: [] });
      wire.execute({});
    }
    wire.parse({ text: statement });
    wire.bind({ values });
    wire.describe({ type: 'P' });
    wire.execute({});
    wire.sync();
    wire.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, decode: sqlDecoder(dataTypeID) }));
  }

  /** One row beyond the limit shows that there is more; the rest is not kept. */
  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#rows.length > SQL_MAX_ROWS || this.#fault !== undefined) return;
    try {
      this.#rows.push(this.#toRow(fields));
    } catch (fault) {
      this.#fault = fault;
    }
  }

  #toRow(fields: readonly (string | null)[]): SqlRow {
    const row: Record<string, unknown> = {};
    for (const [index, { name, decode }] of this.#columns.entries()) {
      const text = fields[index] ?? null;
      row[name] = text === null ? null : decode(text);
    }
    return row;
  }

  /** The tag of a finished command: `BEGIN`, `INSERT 0 5`, `UPDATE 3`, `SELECT 2`. */
  handleCommandComplete({ text }: { readonly text: string }): void {
    const words = text.split(' ');
    this.#count = WRITES.includes(words[0] ?? '') ? Number(words.at(-1)) : 0;
  }

  handleEmptyQuery(): void {
    this.#count = 0;
  }

  handleReadyForQuery(): void {
    if (this.#fault === undefined) this.#end.onAnswer({ rows: this.#rows, count: this.#count });
    else this.#end.onError(this.#fault);
  }

  handleError(error: unknown): void {
    this.#end.onError(error);
  }

  handleCopyInResponse(connection: Wire): void {
    connection.sendCopyFail('The port does not copy.');
  }

  handleCopyData(): void {
    // What a `copy … to stdout` sends has no form in an answer.
  }
}
