/** The frame of a page: title with facts in machine type, and the one plain sentence that answers its question. */
import { type JSX, type ReactNode, useEffect } from 'react';

interface PageProps {
  readonly title: string;
  /** Machine data beside the title. */
  readonly facts?: ReactNode;
  readonly sentence: ReactNode;
  readonly children?: ReactNode;
}

export function Page({ title, facts, sentence, children }: PageProps): JSX.Element {
  useEffect(() => {
    document.title = `${title} · Weir`;
  }, [title]);
  return (
    <main className="page" id="page" tabIndex={-1}>
      <header className="page-head">
        <h1>{title}</h1>
        {facts !== undefined && <span className="mono ink3">{facts}</span>}
      </header>
      <p className="sentence">{sentence}</p>
      {children}
    </main>
  );
}

export function Card({
  title,
  aside,
  foot,
  children,
}: {
  readonly title: ReactNode;
  readonly aside?: ReactNode;
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}): JSX.Element {
  return (
    <section className="card">
      <header className="card-head">
        <h2>{title}</h2>
        <span>{aside}</span>
      </header>
      {children}
      {foot !== undefined && <footer className="card-foot">{foot}</footer>}
    </section>
  );
}

/** Names at the left, values at the right; the order of the rows is fixed. */
export function Facts({ rows }: { readonly rows: readonly (readonly [ReactNode, ReactNode])[] }): JSX.Element {
  return (
    <dl className="facts">
      {rows.map(([name, value], index) => (
        <div key={index} className="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
