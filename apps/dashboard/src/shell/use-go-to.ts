/** Goes to a page by its address; filters of the page before are left behind. */
import { useRouter } from '@tanstack/react-router';

export function useGoTo(): (to: string) => void {
  const router = useRouter();
  return to => router.history.push(to);
}
