/** The time, as a value that a page shows: it moves on by the given step, for ages that stay true while nothing else changes. */
import { useEffect, useState } from 'react';

export function useNow(stepMs = 10_000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), stepMs);
    return () => clearInterval(timer);
  }, [stepMs]);
  return now;
}
