-- Until now, an upload stayed, and was served, after its story had ended, or after the picture of a person, a group or a bot was replaced:
-- the uses of these are removed, and the uploads that nothing else uses. A use of the last hour may belong to a request in progress.
delete from media_uses
where not is_held and used_by like 'elm\_%' and used_by not in (select element_id from story_elements)
  and media_id in (select media_id from media where used_at < (extract(epoch from now()) - 3600) * 1000);
delete from media_uses
where not is_held and used_by like 'usr\_%'
  and (used_by, media_id) not in (
    select account_id, split_part(picture_url, '/', 3) from accounts where picture_url like '/media/%')
  and media_id in (select media_id from media where used_at < (extract(epoch from now()) - 3600) * 1000);
delete from media_uses
where not is_held and used_by like 'app\_%'
  and (used_by, media_id) not in (
    select app_id, split_part(picture_url, '/', 3) from accounts
    where app_id is not null and deleted_at is null and picture_url like '/media/%')
  and media_id in (select media_id from media where used_at < (extract(epoch from now()) - 3600) * 1000);
delete from media_uses
where not is_held and used_by like 'grp\_%'
  and (used_by, media_id) not in (
    select group_id, split_part(photo_url, '/', 3) from groups where deleted_at is null and photo_url like '/media/%')
  and media_id in (select media_id from media where used_at < (extract(epoch from now()) - 3600) * 1000);
update media set used_at = null, released_at = extract(epoch from now()) * 1000
where is_counted and used_at < (extract(epoch from now()) - 3600) * 1000
  and not exists (select 1 from media_uses where media_uses.media_id = media.media_id);
