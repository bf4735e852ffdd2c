/** GitLab: label events and state events of an issue or a merge request, each with the one who caused it. */
import type { Site } from '../http/dialect.ts';
import type { TimelineEntry } from '../state/issue.ts';
import { iso, printUser } from './gitlab-print.ts';

type Json = Record<string, unknown>;

interface Subject {
  readonly id: number;
  readonly timeline: readonly TimelineEntry[];
}

const common = (site: Site, type: string, subject: Subject, { id, by, at }: TimelineEntry): Json => ({
  id,
  user: printUser(site, by),
  created_at: iso(at),
  resource_type: type,
  resource_id: subject.id,
});

export const printLabelEvents = (site: Site, type: string, subject: Subject): readonly Json[] =>
  subject.timeline.flatMap(entry => {
    const { kind, label } = entry;
    if (label === undefined) return [];
    return {
      ...common(site, type, subject, entry),
      label: { id: label.id, name: label.name, color: `#${label.color}`, description: label.description },
      action: kind === 'labeled' ? 'add' : 'remove',
    };
  });

export const printStateEvents = (site: Site, type: string, subject: Subject): readonly Json[] =>
  subject.timeline.filter(({ kind }) => kind === 'closed' || kind === 'reopened').map(entry => ({ ...common(site, type, subject, entry), state: entry.kind }));
