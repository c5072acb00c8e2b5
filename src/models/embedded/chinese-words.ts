/** Words by which Chinese sentences about people, projects and places are known. Sources for patterns. */

const TRADITIONAL =
  '記別們歡習慣實對錯嗎麼誰時區從來後請這個點樣為總遠測試務須說話設計檔錄給過討論幫電腦編輯語專業職團隊決約發佈項於還會沒應該鍵盤單雙號縮進製歲讓幾裡裏國學開師員產經負責厭愛並無與現換遷舊間關問題網難簡體歷將認識貓內適誤報動較傾寧願寫讀養終輸顯連嘗線擔緊雲碼訴憶刪錢買賣飯東車門見長馬魚鳥齊處廠廣庫張強彈聽聯腳臺葉號導師圖場壞聲備復夠頭奧婦媽嬰嚴獨獲環畫當疊療監盡眾睜礎禮種稱穩窮競筆範納紅級組結絕統維罷義聖聞術補裝規視觀覽觸訂訊訓許評詞詢該詳誌誠調談謝證讚護變賬質賴贊跡軟載輕辦農運達違遞選郵鄰釋針鋼錦錫鎖鏈鏡閉閱階際隨險隱雜離靜響頁順須預領頻顆類願飛驗驚'
const SIMPLIFIED =
  '记别们欢习惯实对错吗么谁时区从来后请这个点样为总远测试务须说话设计档录给过讨论帮电脑编辑语专业职团队决约发布项于还会没应该键盘单双号缩进制岁让几里里国学开师员产经负责厌爱并无与现换迁旧间关问题网难简体历将认识猫内适误报动较倾宁愿写读养终输显连尝线担紧云码诉忆删钱买卖饭东车门见长马鱼鸟齐处厂广库张强弹听联脚台叶号导师图场坏声备复够头奥妇妈婴严独获环画当叠疗监尽众睁础礼种称稳穷竞笔范纳红级组结绝统维罢义圣闻术补装规视观览触订讯训许评词询该详志诚调谈谢证赞护变账质赖赞迹软载轻办农运达违递选邮邻释针钢锦锡锁链镜闭阅阶际随险隐杂离静响页顺须预领频颗类愿飞验惊'

let table: Map<string, string> | undefined

/** Character by character, so that a place in one text is the same place in the other. */
export function simplified(text: string): string {
  if (!table) {
    const [from, to] = [[...TRADITIONAL], [...SIMPLIFIED]]
    table = new Map(from.map((character, at) => [character, to[at] ?? character]))
  }
  const known = table
  return text.replace(/[\u4e00-\u9fff]/g, character => known.get(character) ?? character)
}

export const ROLE =
  '工程师|开发者|开发人员|程序员|码农|设计师|学生|老师|教师|教授|讲师|医生|护士|药师|经理|科学家|研究员|研究生|博士|博士生|硕士|硕士生|本科生|大学生|高中生|分析师|架构师|顾问|自由职业者|创始人|作家|记者|律师|会计|会计师|新手|初学者|小白|前端|后端|全栈|运维|素食者|素食主义者|左撇子|色盲|色弱|CTO|CEO|CFO|实习生|总监|组长|译者|摄影师|画家|音乐家|物理学家|数学家|经济学家|维护者|站长|博主|厨师|司机|飞行员|公务员|创业者|夜猫子|完美主义者|独立开发者|DBA|SRE'

/** Words that need another to tell something: "前端开发", "软件测试". */
export const ROLE_WITH_MORE = '测试|编辑|翻译|开发|产品|运营|用户|负责人|主管|爱好者|粉丝|作者|专家'

/** A name begins with one of these, or is one of endearment (小明, 阿强). */
export const SURNAME =
  '[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵钱严武戴莫孔汤康施樊葛邢齐乔庞颜倪庄聂章鲁岳翟殷詹欧耿兰焦俞柳甘祝]'

export const PLACE =
  '北京|上海|广州|深圳|杭州|成都|南京|武汉|西安|重庆|天津|苏州|长沙|青岛|大连|厦门|福建|广东|浙江|江苏|四川|湖南|湖北|山东|河南|河北|东北|香港|台湾|台北|澳门|新疆|云南|中国|美国|英国|德国|法国|日本|韩国|新加坡|加拿大|澳大利亚|意大利|西班牙|俄罗斯|印度|马来西亚|荷兰|瑞典|瑞士|巴西|本地'

export const LANGUAGE =
  '中文|汉语|普通话|粤语|英语|英文|德语|法语|西班牙语|日语|日文|韩语|俄语|意大利语|葡萄牙语|阿拉伯语|手语|世界语'

export const OWN_ATTRIBUTE =
  '名字|姓名|全名|昵称|英文名|中文名|网名|时区|邮箱|邮件地址|电子邮箱|邮箱地址|生日|出生日期|家乡|老家|国籍|母语|第一语言|职业|职位|岗位|头衔|公司|雇主|工作单位|代词|(?:GitHub|GitLab|Slack|微信|推特|npm)\\s*(?:账号|用户名|账户|ID|id|名)?|用户名|工作时间|上班时间|作息|作息时间|专业|研究方向|领域|擅长领域|(?:最喜欢|最爱|常用|首选|偏好|惯用)的?[^是,，。]{1,12}|血型|爱好|习惯|偏好|生肖|星座'

export const OWN_TOOL =
  '编辑器|IDE|终端|[Ss]hell|操作系统|系统|电脑|笔记本|手机|键盘|键盘布局|浏览器|技术栈|包管理器|发行版|窗口管理器|字体|主题|配色|配色方案|角色|团队|城市|国家|语言|主力语言'

export const PERSON =
  '老板|上司|领导|经理|导师|妻子|老婆|丈夫|老公|爱人|伴侣|女朋友|男朋友|儿子|女儿|孩子|哥哥|弟弟|姐姐|妹妹|妈妈|爸爸|猫|狗|合伙人|客户|医生'

export const PROJECT_ATTRIBUTE =
  '数据库|后端|前端|技术栈|云服务商|云平台|包管理器|主要语言|框架|测试框架|默认分支|主分支|消息队列|缓存|构建工具|客户|甲方|产品负责人|产品经理|项目经理|技术负责人|代号|项目名|项目名称|许可证|代码规范|目标|目标用户'

export const EVENT =
  '(?:[^,，。是在的]{0,8}的?)(?:截止日期|截止时间|deadline|ddl|DDL|交付日期|交付时间|上线时间|上线日期|发布日期|发布时间|发版时间|开始日期|开始时间|结束日期|结束时间|里程碑|代码冻结|评审时间|演示时间|验收时间|考试)'

export const DATE =
  '\\d{4}\\s*[-年/.]|\\d{1,2}\\s*月|\\d{1,2}\\s*[号日]|[一二三四五六七八九十]+月|周[一二三四五六日天末]|星期[一二三四五六日天]|礼拜[一二三四五六日天]|今天|明天|后天|下周|下个?月|本周|本月|这周|这个月|月底|月初|年底|年初|季度|[Qq][1-4]|\\d+\\s*天后|元旦|春节|国庆|圣诞'

export const DOCUMENT =
  '(?:[^,，。在是]{0,10}?)(?:文档|wiki|Wiki|WIKI|手册|运维手册|需求|需求单|规范|规格|路线图|看板|面板|仪表盘|大盘|监控|日志平台|仓库|代码仓库|工单|任务|[Bb]ug|缺陷|会议纪要|会议记录|设计稿|原型|原型图|接口文档|凭据|密码|密钥|值班表|日历|群|频道|官网|网站|主页|知识库|合同|测试环境|预发环境|幻灯片|PPT)'

export const SYSTEM =
  'Linear|Jira|JIRA|jira|Confluence|Notion|GitHub|Github|github|GitLab|gitlab|Gitee|码云|Slack|Discord|Teams|Figma|Miro|Google|SharePoint|Dropbox|Grafana|Datadog|Kibana|Splunk|Sentry|PagerDuty|Trello|Asana|YouTrack|Redmine|Airtable|1Password|Bitwarden|Vault|飞书|语雀|钉钉|企业微信|微信群|石墨|腾讯文档|金山文档|禅道|TAPD|Tapd|云效|Coding|CODING|蓝湖|墨刀|即时设计|印象笔记|百度网盘|阿里云盘|Swagger|Apifox|Postman|Obsidian|邮箱'
