/**
 * Bitbucket Cloud's operations that the simulator answers, as its published description has them.
 * The notation is that of `description/read-facts.ts`. Used where the description itself is not at hand.
 */
export const bitbucketFacts = `
DELETE /repositories/{workspace}/{repo_slug}/branch-restrictions/{id}
DELETE /repositories/{workspace}/{repo_slug}/commit/{commit}/reports/{reportId}
DELETE /repositories/{workspace}/{repo_slug}/hooks/{uid}
DELETE /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/approve
DELETE /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/comments/{comment_id}
DELETE /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/comments/{comment_id}/resolve
DELETE /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/request-changes
DELETE /repositories/{workspace}/{repo_slug}/refs/branches/{name*}
GET /repositories/{workspace}/{repo_slug}
GET /repositories/{workspace}/{repo_slug}/branch-restrictions ?kind=string ?pattern=string
GET /repositories/{workspace}/{repo_slug}/branch-restrictions/{id}
GET /repositories/{workspace}/{repo_slug}/commit/{commit}
GET /repositories/{workspace}/{repo_slug}/commit/{commit}/reports
GET /repositories/{workspace}/{repo_slug}/commit/{commit}/reports/{reportId}
GET /repositories/{workspace}/{repo_slug}/commit/{commit}/reports/{reportId}/annotations
GET /repositories/{workspace}/{repo_slug}/commit/{commit}/statuses ?refname=string ?q=string ?sort=string
GET /repositories/{workspace}/{repo_slug}/commit/{commit}/statuses/build/{key}
GET /repositories/{workspace}/{repo_slug}/commits
GET /repositories/{workspace}/{repo_slug}/commits/{revision*}
GET /repositories/{workspace}/{repo_slug}/diff/{spec*} ?context=integer ?path=string ?ignore_whitespace=boolean ?binary=boolean ?renames=boolean ?merge=boolean ?topic=boolean
GET /repositories/{workspace}/{repo_slug}/diffstat/{spec*} ?ignore_whitespace=boolean ?merge=boolean ?path=string ?renames=boolean ?topic=boolean
GET /repositories/{workspace}/{repo_slug}/hooks
GET /repositories/{workspace}/{repo_slug}/hooks/{uid}
GET /repositories/{workspace}/{repo_slug}/merge-base/{spec}
GET /repositories/{workspace}/{repo_slug}/patch/{spec*}
GET /repositories/{workspace}/{repo_slug}/permissions-config/users
GET /repositories/{workspace}/{repo_slug}/permissions-config/users/{selected_user_id}
GET /repositories/{workspace}/{repo_slug}/pullrequests ?state=OPEN|MERGED|DECLINED|SUPERSEDED
GET /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}
GET /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/comments
GET /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/comments/{comment_id}
GET /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/commits
GET /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/diff
GET /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/diffstat
GET /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/merge/task-status/{task_id}
GET /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/patch
GET /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/statuses ?q=string ?sort=string
GET /repositories/{workspace}/{repo_slug}/refs/branches ?q=string ?sort=string
GET /repositories/{workspace}/{repo_slug}/refs/branches/{name*}
GET /repositories/{workspace}/{repo_slug}/src/{commit}/{path*} ?format=meta|rendered ?q=string ?sort=string ?max_depth=integer
GET /user
GET /users/{selected_user}
GET /workspaces/{workspace}/permissions/repositories/{repo_slug} ?q=string ?sort=string
POST /repositories/{workspace}/{repo_slug}/branch-restrictions : -
POST /repositories/{workspace}/{repo_slug}/commit/{commit}/reports/{reportId}/annotations : -
POST /repositories/{workspace}/{repo_slug}/commit/{commit}/statuses/build : -
POST /repositories/{workspace}/{repo_slug}/hooks
POST /repositories/{workspace}/{repo_slug}/pullrequests : -
POST /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/approve
POST /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/comments : -
POST /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/comments/{comment_id}/resolve
POST /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/decline
POST /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/merge ?async=boolean : -
POST /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/request-changes
POST /repositories/{workspace}/{repo_slug}/refs/branches
POST /repositories/{workspace}/{repo_slug}/src ?message=string ?author=string ?parents=string ?files=string ?branch=string
PUT /repositories/{workspace}/{repo_slug}/branch-restrictions/{id} : -
PUT /repositories/{workspace}/{repo_slug}/commit/{commit}/reports/{reportId} : -
PUT /repositories/{workspace}/{repo_slug}/commit/{commit}/statuses/build/{key} : -
PUT /repositories/{workspace}/{repo_slug}/hooks/{uid}
PUT /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id} : -
PUT /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/comments/{comment_id} : -
`;
