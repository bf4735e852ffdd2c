export { AppError, type AppErrorDetail } from './app-error.ts';
export { listenFailure, type ListenPlace } from './listen-failure.ts';
